import { WorkflowNotFoundError } from '@temporalio/client';
import { at, iso } from '../../billing/calendar/instant.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

describe('a test clock', () => {
  it('numbers the invoices of several contracts in the order of their instants, ties by contract id', async () => {
    const clock = await kit.clock('2025-01-31T00:00:00.000Z');
    const [monthly, weekly] = [await kit.plan('30.00'), await kit.plan('7.00', { cycle: 'week' })];
    for (const plan of [monthly, weekly, monthly]) await kit.sign(await kit.customer(clock), plan);
    expect((await kit.advance(clock, '2025-04-30')).status).toBe('ready');
    const rows = await kit.db.query<{ date: number; contract_id: string }>(
      'select date, contract_id from invoice where vendor_id = $1 and series = $2 order by number',
      [kit.vendorId, clock],
    );
    const later = rows.filter(({ date }) => date > at('2025-01-31'));
    expect(later).toEqual(later.toSorted((a, b) => a.date - b.date || (a.contract_id < b.contract_id ? -1 : 1)));
    expect(later.filter(({ contract_id }) => contract_id === later.at(-1)?.contract_id).length).toBeGreaterThan(0);
  });

  it('leaves nothing due behind, tells its contracts, and the workflows of those that have ended complete', async () => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const id = await kit.sign(await kit.customer(clock), await kit.plan('10.00'), { expiration: at('2025-02-15') });
    expect(await kit.advance(clock, '2025-06-01')).toMatchObject({ status: 'ready', reason: null });
    expect(await kit.db.query('select 1 from agenda where test_clock_id = $1', [clock])).toEqual([]);
    expect((await kit.state(id)).status).toBe('canceled');
    await kit.client.workflow.getHandle(id).result();
    expect((await kit.invoices(id)).map(({ date }) => iso(date).slice(0, 10))).toEqual(['2025-01-01', '2025-02-01']);
  });

  it('brings a deferred downgrade about on the way, in the workflow of the first contract', async () => {
    const clock = await kit.clock('2025-01-31T00:00:00.000Z');
    const [big, small] = [await kit.plan('50.00'), await kit.plan('20.00')];
    const id = await kit.sign(await kit.customer(clock), big);
    const next = await kit.change(id, small);
    expect(await kit.state(next)).toMatchObject({ status: 'scheduled' });
    await kit.advance(clock, '2025-03-31');
    expect((await kit.invoices(next)).map(({ date, total }) => [iso(date).slice(0, 10), total])).toEqual([
      ['2025-02-28', '20.00'],
      ['2025-03-31', '20.00'],
    ]);
    expect((await kit.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
    await expect(kit.client.workflow.getHandle(next).describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);
  });
});
