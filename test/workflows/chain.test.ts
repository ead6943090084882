import { WorkflowNotFoundError } from '@temporalio/client';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

describe('a contract that is changed', () => {
  it('goes on in the workflow of the first, which lists all of the chain, and ends when all has ended', async () => {
    const first = await kit.sign(await kit.customer(), await kit.plan('10.00'));
    const second = await kit.change(first, await kit.plan('20.00'));
    const third = await kit.change(second, await kit.plan('15.00'));
    const handle = kit.client.workflow.getHandle(first);
    await eventually(async () => {
      const { status, searchAttributes } = await handle.describe();
      expect([status.name, searchAttributes?.PerennialContracts]).toEqual(['RUNNING', [second, third, first]]);
    });
    await kit.look(first);
    const details = await kit.details(first);
    expect(details).toMatch(new RegExp(`\`${second}\`.* \\*\\*active\\*\\*, period 1`));
    expect(details).toMatch(new RegExp(`\`${third}\`.* \\*\\*scheduled\\*\\*`));
    expect(details).toMatch(new RegExp(`\`${first}\`.* \\*\\*moved\\*\\*, period 1`));
    expect(details).toContain(`the change to ${third} takes effect`);
    for (const id of [second, third])
      await expect(kit.client.workflow.getHandle(id).describe()).rejects.toBeInstanceOf(WorkflowNotFoundError);

    await kit.cancel(second);
    await handle.result();
    const { status, searchAttributes } = await handle.describe();
    expect([status.name, searchAttributes?.PerennialStatus]).toEqual(['COMPLETED', ['canceled']]);
    expect(await kit.state(third)).toMatchObject({ status: 'canceled' });
  });

  it('25 times lists the live one first and at most 20, is found by it, and still has one workflow', async () => {
    const first = await kit.sign(await kit.customer(), await kit.plan('1.00'));
    let live = first;
    for (let i = 2; i <= 26; i += 1) live = await kit.change(live, await kit.plan(`${i}.00`));
    const handle = kit.client.workflow.getHandle(first);
    await eventually(async () => {
      const listed = (await handle.describe()).searchAttributes?.PerennialContracts as string[];
      expect([listed[0], listed.length]).toEqual([live, 20]);
    });
    await eventually(async () => {
      const found: string[] = [];
      for await (const { workflowId } of kit.client.workflow.list({ query: `PerennialContracts = "${live}"` })) found.push(workflowId);
      expect(found).toEqual([first]);
    });
  });

  it('200 times there and back at one instant owes nothing more than before, has one workflow, and its next month is billed once', async () => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const customer = await kit.customer(clock);
    const [small, large] = [await kit.plan('10.00'), await kit.plan('20.00')];
    const first = await kit.sign(customer, small);
    await kit.advance(clock, '2025-01-11T00:00:00.000Z');
    let live = first;
    for (let i = 0; i < 200; i += 1) live = await kit.change(live, i % 2 === 0 ? large : small, { downgradeAllowed: true });
    // the wallet pays what is due first, so that not the first invoice is open, but as much
    const owed = async () => {
      const [row] = await kit.db.query<{ owed: string }>('select sum(amount_due)::text as owed from invoice where customer_id = $1', [
        customer,
      ]);
      return row?.owed;
    };
    const wallet = await kit.db.query('select balance::float8 as balance from wallet where customer_id = $1', [customer]);
    expect([await owed(), wallet]).toEqual(['10.00', [{ balance: 0 }]]);
    expect(await kit.advance(clock, '2025-02-02T00:00:00.000Z')).toMatchObject({ status: 'ready' });
    const february = await kit.db.query(
      `select contract_id as id, total::text from invoice where customer_id = $1 and date = '2025-02-01Z'`,
      [customer],
    );
    expect([await owed(), february]).toEqual(['20.00', [{ id: live, total: '10.00' }]]);
    expect(await kit.db.query('select id from contract where root_id = $1', [first])).toHaveLength(201);
    await eventually(async () => {
      const { status, searchAttributes } = await kit.client.workflow.getHandle(first).describe();
      const listed = searchAttributes?.PerennialContracts as string[];
      expect([status.name, listed[0], listed.length]).toEqual(['RUNNING', live, 20]);
    });
  });
});
