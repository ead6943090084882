import { CreditTopUp } from '../../db/entities/credit-top-up.ts';
import { lockGrants } from '../../db/sql/credit/lock-grants.ts';
import { topUpsOf } from '../../db/sql/credit/top-ups-of.ts';
import { askTopUps, planTopUps } from '../../services/credit/ask-top-up.ts';
import { carryOutTopUp } from '../../services/credit/carry-out-top-up.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor } from '../support/vendor.ts';

const HOUR = 3_600_000;

describe('a top-up that buys while an invoice is paid by credits', () => {
  it('lets the invoice ask for it without a wait, and buys once', async () => {
    const { api } = await newVendor();
    const customerId: string = await api.made('/v1/c/customer', { name: 'Ada' });
    await api.made('/v1/c/credit_grant', { customer: customerId, currency: 'usd', amount: '20', kind: 'promotional' });
    const terms = { currency: 'usd', below: '10', amount: '50', at_most_per_month: '90' };
    const subject: string = await api.made(`/v1/c/customer/${customerId}/top_up`, terms);
    await withTestDatabase(async (db) => {
      await db.transaction(async (tx) => {
        await tx.em.nativeUpdate(CreditTopUp, { id: subject }, { below: '30' });
        const own = await topUpsOf(tx, [{ customerId, currency: 'usd' }]);
        await planTopUps(
          tx,
          own.map((topUp) => ({ topUp, at: topUp.now + HOUR })),
        );
      });
      const bought: Promise<void>[] = [];
      await db.transaction(async (tx) => {
        await lockGrants(tx, [{ customerId, currency: 'usd' }]);
        bought.push(db.transaction((other) => carryOutTopUp(other, { subject }, Date.now()), { by: 'timer' }));
        const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        await eventually(async () =>
          expect(await tx.query('select pid from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))', [own?.pid])).toHaveLength(
            1,
          ),
        );
        await tx.query(`set local lock_timeout = '500ms'`);
        await askTopUps(tx, [{ customerId, currency: 'usd' }]);
      });
      await Promise.all(bought);
    });
    const { hits } = await api.read(`/v1/c/credit_grant?customer=${customerId}`);
    expect(hits.map(({ kind, status }: AnyJson) => `${kind} ${status}`)).toEqual(['promotional active', 'purchased awaiting_payment']);
  });
});
