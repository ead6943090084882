import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { stepsOf } from './history.ts';
import { type Kit, openKit } from './kit.ts';
import { factsOfCustomer, OTHER_CONCERNS } from './other-concerns.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

describe('on the wall clock', () => {
  it.concurrent.each(OTHER_CONCERNS)('$concern: $found, $activity in the history, once', async (story) => {
    const played = await story.play(kit);
    await eventually(async () => expect(await factsOfCustomer(kit, story, played)).toEqual(story.found));
    await eventually(async () => {
      const activities = stepsOf(await kit.history(played.workflowId)).map(({ activity }) => activity);
      expect(activities.filter((activity) => activity === story.activity)).toHaveLength(1);
    });
  });
});
