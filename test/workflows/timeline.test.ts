import { TIMELINE_QUERY, type TimelineEntry } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it('a workflow lists what came about since it was started, when and by whom, in the order in which it did', async () => {
  const clock = await kit.clock('2025-01-01T00:00:00.000Z');
  const id = await kit.sign(await kit.customer(clock), await kit.plan('10.00'));
  const listed = async () => (await kit.client.workflow.getHandle(id).query<TimelineEntry[]>(TIMELINE_QUERY)).map(({ what }) => what);
  await kit.advance(clock, '2025-02-01');
  await kit.cancel(id, { type: 'end_of_cycle' });
  await kit.advance(clock, '2025-03-01');
  const [, february] = await kit.invoices(id);
  const upcoming = `2025-01-29: invoice.upcoming of \`${id}\`, by clock`;
  const renewed = `2025-02-01: contract.renewed of \`${id}\`, by clock`;
  const scheduled = `2025-02-01: contract.cancellation.scheduled of \`${id}\`, by caller`;
  const completed = `2025-03-01: contract.cancellation.completed of \`${id}\`, by clock`;
  const invoiced = `2025-02-01: invoice.created of \`${february?.id}\`, by clock`;
  await eventually(async () => expect(await listed()).toEqual([upcoming, renewed, invoiced, scheduled, completed]));
});
