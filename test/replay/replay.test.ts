import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { workflowBundle } from '../../worker/bundle.ts';
import { lifecycle } from '../../workflows/contract/lifecycle.ts';
import * as workflows from '../../workflows/index.ts';
import { stepsOf } from '../workflows/history.ts';

const FOLDER = join(import.meta.dirname, 'histories');

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
  it('of every type, and every activity of a chain, stand in a recorded history', async () => {
    const [types, activities] = [new Set<string>(), new Set<string>()];
    for (const { history } of await recorded()) {
      const [started] = history.events ?? [];
      const type = started?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '';
      types.add(type);
      if (type === 'contractLifecycle') for (const { activity } of stepsOf(history.events ?? [])) activities.add(activity);
    }
    expect([...types].sort()).toEqual(Object.keys(workflows).sort());
    const ofChains = new Set([...Object.values(lifecycle).map(({ activity }) => activity), 'readSchedule']);
    expect([...activities].sort()).toEqual([...ofChains].sort());
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
