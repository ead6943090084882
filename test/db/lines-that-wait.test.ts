import { loadSnapshots } from '../../services/contract/load.ts';
import { withTestDatabase } from '../support/database.ts';
import { plan, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const linesRead = ({ contract }: StoryCustomer, running: 'all' | 'ending'): Promise<number> =>
  withTestDatabase((db) =>
    db.transaction(async (tx) => (await loadSnapshots(tx, [contract.id], Date.UTC(2025, 5, 1), { running }))[0]?.waiting.length ?? -1),
  );

story('lines that wait for a call are read for the call and not when the contract is advanced, however many', async ({ on, acme }) => {
  await on('2025-01-01', () => acme.signs(plan('pro', '10'), { invoice_trigger: 'manual' }));
  await on('2025-06-01');
  expect([await linesRead(acme, 'all'), await linesRead(acme, 'ending')]).toEqual([6, 0]);
  await acme.vendor.api.made('/v1/c/invoice', { contract_id: acme.contract.id });
  await on('2025-07-01');
  expect(await linesRead(acme, 'all')).toBe(1);
  expect((await acme.invoices()).map(({ invoice }) => invoice.total)).toEqual(['60.00']);
});
