import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { activitiesOf } from '../../activities/index.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import * as workflows from '../../workflows/index.ts';
import { stepsOf } from '../workflows/history.ts';

const FOLDER = join(import.meta.dirname, 'histories');

/** The activities are only named here, and none is run. */
const NOTHING = {} as ActivityDependencies;

Runtime.install({ logger: new DefaultLogger('ERROR') });

afterAll(() => Runtime.instance().shutdown());

async function recorded() {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.json'));
  return Promise.all(
    files.map(async (name) => ({
      workflowId: name.replace('.json', ''),
      history: historyFromJSON(JSON.parse(await readFile(join(FOLDER, name), 'utf8'))),
    })),
  );
}

describe('workflows that run already', () => {
  it('of every type, and every activity that a worker offers, stand in a recorded history', async () => {
    const [types, activities] = [new Set<string>(), new Set<string>()];
    for (const { history } of await recorded()) {
      const [started] = history.events ?? [];
      types.add(started?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '');
      for (const { activity } of stepsOf(history.events ?? [])) activities.add(activity);
    }
    expect([...types].sort()).toEqual(Object.keys(workflows).sort());
    expect([...activities].sort()).toEqual(Object.keys(activitiesOf(NOTHING)).sort());
  });

  it('go on under the code of today: every recorded history replays', async () => {
    const options = { workflowBundle: await workflowBundle() };
    const broken: string[] = [];
    for await (const { workflowId, error } of Worker.runReplayHistories(options, await recorded())) {
      if (error !== undefined) broken.push(`${workflowId}: ${error.message}`);
    }
    expect(broken).toEqual([]);
  });
});
