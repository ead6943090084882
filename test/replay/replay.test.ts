import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { workflowBundle } from '../../worker/bundle.ts';

const FOLDER = join(import.meta.dirname, 'histories');

Runtime.install({ logger: new DefaultLogger('ERROR') });

afterAll(() => Runtime.instance().shutdown());

describe('workflows that run already', () => {
  it('go on under the code of today: every recorded history replays', async () => {
    const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.json'));
    expect(files.length).toBeGreaterThanOrEqual(10);
    const histories = await Promise.all(
      files.map(async (name) => ({
        workflowId: name.replace('.json', ''),
        history: historyFromJSON(JSON.parse(await readFile(join(FOLDER, name), 'utf8'))),
      })),
    );
    const broken: string[] = [];
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: await workflowBundle() }, histories)) {
      if (error !== undefined) broken.push(`${workflowId}: ${error.message}`);
    }
    expect(broken).toEqual([]);
  }, 60_000);
});
