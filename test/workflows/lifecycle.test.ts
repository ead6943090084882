import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { stepsOf } from './history.ts';
import { type Kit, openKit } from './kit.ts';
import { factsOf, invoicesDueAt, LIFECYCLE, playAll } from './lifecycle.ts';
import { attemptOf, hastenRetry, payer } from './payer.ts';

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

  it('the retry of a declined payment: collectPayment in the history, which opens the next attempt', async () => {
    const { customer, contract } = await payer(kit, 'sandbox_declined');
    await attemptOf(kit, customer, 'failed');
    await hastenRetry(kit, contract);
    await attemptOf(kit, customer, 'failed', 2);
    await eventually(async () => {
      const steps = stepsOf(await kit.history(contract)).map(({ activity }) => activity);
      expect(steps.filter((activity) => activity === 'collectPayment')).toHaveLength(1);
    });
  });
});
