import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogOutput } from '../../../api/http/log-output.ts';
import { eventually } from '../../support/eventually.ts';

const MODULE = join(import.meta.dirname, '../../../api/http/log-output.ts');
const lines = (count: number) => Array.from({ length: count }, (_, n) => `{"n":${n},"text":"${'é'.repeat(n % 90)}"}\n`);

describe('the output of a log', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-output-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('writes 20,000 lines in order, and a last line soon', async () => {
    const path = join(folder, 'many');
    const file = openSync(path, 'a');
    const output = new LogOutput(file);
    const all = lines(20_000);
    for (const line of all) output.write(line);
    await eventually(async () => expect((await readFile(path, 'utf8')) === all.join('')).toBe(true));
    output.write('and one more\n');
    await eventually(async () => expect((await readFile(path, 'utf8')).endsWith('and one more\n')).toBe(true));
  });

  it.each([1, 5_000])('of a process that exits contains all %d lines', (count) => {
    const program = `
      const { LogOutput } = await import(${JSON.stringify(MODULE)});
      const output = new LogOutput(1);
      for (let n = 0; n < ${count}; n += 1) output.write('line ' + n + '\\n');
      process.exit(3);`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(status).toBe(3);
    expect(stdout.split('\n').length - 1).toBe(count);
  });
});
