import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { anyFreePort } from '../../../local-stack/ports.ts';

const run = promisify(execFile);
const MODULE = new URL('../../../local-stack/ports.ts', import.meta.url).href;

describe('free ports', () => {
  it('are given once, also where nothing listens there yet', async () => {
    const ports = new Set<number>();
    for (let n = 0; n < 150; n += 1) ports.add(await anyFreePort());
    expect(ports.size).toBe(150);
  });

  it('of processes that start together are not the same', async () => {
    const program = `const { anyFreePort } = await import('${MODULE}'); for (let n = 0; n < 100; n += 1) console.log(await anyFreePort());`;
    const printed = await Promise.all([1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '-e', program])));
    const ports = printed.flatMap(({ stdout }) => stdout.trim().split('\n'));
    expect(ports).toHaveLength(300);
    expect(new Set(ports).size).toBe(300);
  });
});
