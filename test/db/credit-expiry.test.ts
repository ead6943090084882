import { Agenda } from '../../db/entities/agenda.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { carryOutExpiry } from '../../services/credit/carry-out-expiry.ts';
import { withTestDatabase } from '../support/database.ts';
import { plan, planToSave } from '../support/story-catalogue.ts';
import { newVendor } from '../support/vendor.ts';

const HOUR = 3_600_000;

class RolledBack extends Error {}

describe('the expiry of prepaid credits', () => {
  it('waits for a contract that is behind, and no longer than that: of 50.00 the 20.00 that the first invoice has left', async () => {
    const { api } = await newVendor();
    const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
    const bought = await api.made('/v1/c/plan', planToSave(plan('pro', '30')));
    const contractId: string = await api.made('/v1/c/contract', { customer, plan: bought, currency: 'usd', cycle: 'month' });
    const now = Date.now();
    const times = { effective_at: new Date(now - 9 * HOUR).toISOString(), expires_at: new Date(now + HOUR).toISOString() };
    const body = { customer, currency: 'usd', amount: '50', kind: 'promotional', ...times };
    const grant: string = await api.made('/v1/c/credit_grant', body);
    const steps: (string | undefined)[] = [];
    // as it stands after hours without a worker, seen by nobody else
    const played = withTestDatabase((db) =>
      db.transaction(
        async (tx) => {
          const left = async () => (await tx.em.findOneOrFail(CreditGrant, { id: grant }, { disableIdentityMap: true })).balance;
          await tx.em.nativeUpdate(Agenda, { contractId, kind: 'boundary' }, { dueAt: now });
          await carryOutExpiry(tx, customer, now + 2 * HOUR);
          await tx.em.flush();
          steps.push(await left());
          await tx.em.nativeUpdate(Agenda, { contractId, kind: 'boundary' }, { dueAt: now + 9 * HOUR });
          await carryOutExpiry(tx, customer, now + 3 * HOUR);
          await tx.em.flush();
          steps.push(await left());
          throw new RolledBack();
        },
        { by: 'timer' },
      ),
    );
    await expect(played).rejects.toThrow(RolledBack);
    expect(steps.map(Number)).toEqual([20, 0]);
  });
});
