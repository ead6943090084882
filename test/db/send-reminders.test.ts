import { sendDueReminders } from '../../services/agenda/send-reminders.ts';
import { signedContract } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor } from '../support/vendor.ts';

describe('reminders of invoices to come on the wall clock', () => {
  it('are sent once for each contract, however many look at the same time, and not again when its agenda is written again', async () => {
    const vendor = await newVendor();
    const [one, two, parked] = [await signedContract(vendor), await signedContract(vendor), await signedContract(vendor)];
    const ids = [one, two, parked].map(({ contractId }) => contractId);
    await withTestDatabase(async (db) => {
      await db.query('update agenda set held = true where contract_id = $1', [parked.contractId]);
      const early = await db.query(`update agenda set remind_at = now() where contract_id = any($1) and kind = 'boundary' returning id`, [
        ids,
      ]);
      expect(early).toHaveLength(3);
      await Promise.all([sendDueReminders(db), withTestDatabase(sendDueReminders)]);
      await vendor.api.made(`/v1/c/contract/${one.contractId}/cancel`, { when: { type: 'date', date: '2999-01-01T00:00:00Z' } });
      while (await sendDueReminders(db));
      await db.query('update agenda set held = false where contract_id = $1', [parked.contractId]);
    });
    const objects = await eventually(async () => {
      const { hits } = await vendor.api.read('/v1/c/event?type=v1.invoice.upcoming');
      expect(hits.length).toBeGreaterThanOrEqual(2);
      return hits.map(({ object }: { object: string }) => object);
    });
    expect(objects.filter((id: string) => id !== parked.contractId).toSorted()).toEqual([one.contractId, two.contractId].toSorted());
  });
});
