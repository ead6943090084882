import { readFile } from 'node:fs/promises';
import { keepProcess } from '../../runtime/keep-process.ts';

describe('a test file', () => {
  it('leaves globals, variables, folder and exit code as it found them', () => {
    process.env.KEPT_BEFORE = 'as it was';
    const giveBack = keepProcess();
    const before = { fetch: globalThis.fetch, folder: process.cwd(), exit: process.exit };

    Object.assign(globalThis, { left: 'behind', fetch: () => 'another' });
    process.env.LEFT = 'behind';
    process.env.KEPT_BEFORE = 'changed';
    process.exitCode = 3;
    process.exit = () => undefined as never;
    process.chdir('/');
    giveBack();

    expect('left' in globalThis).toBe(false);
    expect({ fetch: globalThis.fetch, folder: process.cwd(), exit: process.exit }).toEqual(before);
    expect([process.env.LEFT, process.env.KEPT_BEFORE, process.exitCode]).toEqual([undefined, 'as it was', undefined]);
  });

  it('shares its classes with Node and packages', async () => {
    await expect(readFile('/no/such/file')).rejects.toBeInstanceOf(Error);
    expect(structuredClone(new Date(0))).toBeInstanceOf(Date);
  });

  it('is loaded with its own copy of what tests share, and the code under test once per process', () => {
    expect(import.meta.url).toMatch(/\?file=\d+$/);
    expect(import.meta.resolve('../../support/eventually.ts')).toMatch(/\?file=\d+$/);
    expect(import.meta.resolve('../../../billing/contract/load.ts')).toMatch(/load\.ts$/);
  });
});
