import { TIMELINE_QUERY, type TimelineEntry } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it('a workflow tells what was asked of it before what came of that', async () => {
  const id = await kit.sign(await kit.customer(), await kit.plan('10.00'));
  const told = async () => (await kit.client.workflow.getHandle(id).query<TimelineEntry[]>(TIMELINE_QUERY)).map(({ what }) => what);
  await eventually(async () => expect(await told()).toEqual(['active, period 1']));
  await kit.ask(id, 'cancel', { when: { type: 'now' }, credit: false, notes: null });
  expect(await told()).toEqual(['active, period 1', 'cancel', 'canceled, period 1']);
});
