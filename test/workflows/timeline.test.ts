import { TIMELINE_QUERY, type TimelineEntry } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const listedIn = async (chainId: string, runId?: string): Promise<string[]> =>
  (await kit.client.workflow.getHandle(chainId, runId).query<TimelineEntry[]>(TIMELINE_QUERY)).map(({ what }) => what);
const runOf = async (chainId: string): Promise<string> => (await kit.client.workflow.getHandle(chainId).describe()).runId;
/** Once its first message is sent. */
const firstRunOf = (chainId: string): Promise<string> => eventually(() => runOf(chainId));

it('a workflow lists what came about since it was started, when and by whom, in the order in which it did', async () => {
  const clock = await kit.clock('2025-01-01T00:00:00.000Z');
  const id = await kit.sign(await kit.customer(clock), await kit.plan('10.00'));
  // a message that comes behind the end of the contract starts another run
  const runId = await firstRunOf(id);
  await kit.advance(clock, '2025-02-01');
  await kit.cancel(id, { type: 'end_of_cycle' });
  await kit.advance(clock, '2025-03-01');
  const [, february] = await kit.invoices(id);
  const upcoming = `2025-01-29: invoice.upcoming of \`${id}\`, by clock`;
  const renewed = `2025-02-01: contract.renewed of \`${id}\`, by clock`;
  const scheduled = `2025-02-01: contract.cancellation.scheduled of \`${id}\`, by caller`;
  const completed = `2025-03-01: contract.cancellation.completed of \`${id}\`, by clock`;
  const invoiced = `2025-02-01: invoice.created of \`${february?.id}\`, by clock`;
  await eventually(async () => expect(await listedIn(id, runId)).toEqual([upcoming, renewed, invoiced, scheduled, completed]));
});

describe('a workflow that is started again', () => {
  it('after it was terminated lists the latest of what came about before', async () => {
    const id = await kit.sign(await kit.customer(), await kit.plan('10.00'));
    await kit.cancel(id, { type: 'end_of_cycle' });
    await kit.look(id);
    const runId = await runOf(id);
    await kit.client.workflow.getHandle(id).terminate();
    await kit.look(id);
    expect(await runOf(id)).not.toBe(runId);
    const [signing, ...rest] = await listedIn(id);
    expect(signing).toContain(`contract.signature.completed of \`${id}\`, by caller`);
    expect(rest.at(-1)).toContain(`contract.cancellation.scheduled of \`${id}\`, by caller`);
  });

  it('after it was terminated and its old messages were deleted, by a later one, does so too', async () => {
    const id = await kit.sign(await kit.customer(), await kit.plan('10.00'));
    const runId = await firstRunOf(id);
    await kit.signal(id);
    await kit.client.workflow.getHandle(id).terminate();
    await kit.db.query('delete from outbox where workflow_id = $1', [id]);
    await kit.db.query(`update contract set created = created - interval '2 hours' where id = $1`, [id]);
    await kit.cancel(id);
    await eventually(async () => expect(await runOf(id)).not.toBe(runId));
    await kit.client.workflow.getHandle(id).result();
    const [signing, ...rest] = await listedIn(id);
    expect(signing).toContain(`contract.signature.completed of \`${id}\`, by caller`);
    expect(rest.at(-1)).toContain(`contract.cancellation.completed of \`${id}\`, by caller`);
  });

  it('by a message behind the end of its contract lists how it came to its end', async () => {
    const id = await kit.sign(await kit.customer(), await kit.plan('10.00'));
    const runId = await firstRunOf(id);
    await kit.cancel(id);
    await kit.client.workflow.getHandle(id, runId).result();
    await kit.signal(id);
    await eventually(async () => expect(await runOf(id)).not.toBe(runId));
    await kit.client.workflow.getHandle(id).result();
    expect((await listedIn(id)).at(-1)).toContain(`contract.cancellation.completed of \`${id}\`, by caller`);
    expect(await kit.details(id)).toContain('contract.cancellation.completed');
  });
});
