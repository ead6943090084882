import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { stepsOf } from './history.ts';
import { type Kit, openKit } from './kit.ts';
import { factsOf, invoicesDueAt, LIFECYCLE, playAll } from './lifecycle.ts';

let kit: Kit;
let played: ReturnType<typeof playAll>;
beforeAll(async () => {
  kit = await openKit(await servers());
  played = playAll(kit);
  await Promise.allSettled(played.values());
});
afterAll(() => kit.close());

const statusOf = async (workflowId: string): Promise<string> => (await kit.client.workflow.getHandle(workflowId).describe()).status.name;

describe('on the wall clock', () => {
  it.each(LIFECYCLE)(
    '$concern: $contracts, invoiced in minutes from then $invoices, $activity in the history',
    async ({ concern, activity, done, play: _play, ...facts }) => {
      const story = await played.get(concern);
      if (story === undefined) throw new Error('it was not played');
      await eventually(async () => expect(await factsOf(kit, story)).toEqual(facts));
      const last = await eventually(async () => {
        const step = stepsOf(await kit.history(story.chainId)).at(-1);
        expect(step?.activity).toBe(activity);
        return step?.schedule;
      });
      expect(last?.done.map(({ what }) => what)).toEqual(done);
      expect(last?.done.map(({ by }) => by)).toEqual(done.map(() => 'timer'));
      const listed = last?.done.filter(({ what }) => what === 'invoice.created').map(({ object }) => object);
      expect(listed).toEqual(await invoicesDueAt(kit, story));
      const hasEnded = facts.contracts.every((contract) => contract.startsWith('canceled'));
      await eventually(async () => expect(await statusOf(story.chainId)).toBe(hasEnded ? 'COMPLETED' : 'RUNNING'));
    },
  );
});
