import { parkContract } from '../../services/contract/park.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { metered, plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const pro = plan('pro', '29', {
  features: { calls: { price: metered('1') } },
  credits: { amount: '50', expires_after_cycles: 1 },
});

const parks = ({ contract }: StoryCustomer, day: string): Promise<void> =>
  withTestDatabase((db) => db.transaction((tx) => parkContract(tx, contract.id, 'of the test', Date.parse(day))));

const resumes = (acme: StoryCustomer): Promise<unknown> => acme.vendor.api.made(`/v1/c/contract/${acme.contract.id}/resume`, {});

const grantsOf = async (acme: StoryCustomer): Promise<string[]> =>
  (await acme.vendor.api.read<AnyJson>(`/v1/c/customer/${await acme.id()}/credit?currency=usd`)).grants.map(
    ({ left, status, expires_at }: AnyJson) => `${left} ${status} ${expires_at.slice(0, 10)}`,
  );

describe('a parked contract whose plan gives credits', () => {
  story('ends in a freeze when it is resumed there: the freeze ends by itself at its day, the credits after it', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await acme.signs(pro);
      await acme.cancels('2025-01-20');
      await parks(acme, '2025-01-01');
    });
    await expect(on('2025-01-25')).rejects.toThrow('the clock stopped at 2025-01-20T00:00:00.000Z');
    await acme.freezes({ resume_at: '2025-02-20T00:00:00.000Z' });
    await resumes(acme);
    await on('2025-02-25');
    expect((await acme.read()).status).toBe('active');
    expect(await grantsOf(acme)).toEqual(['50.00 active 2025-03-04']);
    await on('2025-03-25');
    expect(await grantsOf(acme)).toEqual(['0.00 expired 2025-03-04']);
  });
});
