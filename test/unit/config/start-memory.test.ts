import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MODULE = new URL('../../../config/start-memory.ts', import.meta.url).href;

/** In a process of its own, whose heap holds nothing but what it makes here: objects that nobody needs afterwards. */
const PROGRAM = `
  const { giveBackStartMemory } = await import('${MODULE}');
  const { getHeapSpaceStatistics } = await import('node:v8');
  const sizes = () => ({
    young: getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size,
    all: process.memoryUsage().heapTotal,
  });
  let made = Array.from({ length: 200_000 }, (_, n) => ({ n, text: [n, String(n)] }));
  const before = sizes();
  made = null;
  giveBackStartMemory();
  console.log(JSON.stringify({ before, after: sizes(), exposed: typeof gc }));`;

interface Sizes {
  young: number;
  all: number;
}

it('gives back what a start has taken, the room for young objects too, and leaves no way to do so to others', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  const { before, after, exposed } = JSON.parse(stdout) as { before: Sizes; after: Sizes; exposed: string };
  expect(after.young).toBeLessThan(before.young / 4);
  expect(after.all).toBeLessThan(before.all / 2);
  expect(exposed).toBe('undefined');
});
