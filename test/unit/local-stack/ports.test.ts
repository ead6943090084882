import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Home } from '../../../local-stack/home.ts';
import { anyFreePort, isFree, rememberedPort } from '../../../local-stack/ports.ts';

const MODULE = new URL('../../../local-stack/ports.ts', import.meta.url).href;

describe('free ports', () => {
  it('are given once, also where nothing listens there yet', async () => {
    const ports = new Set<number>();
    for (let n = 0; n < 150; n += 1) ports.add(await anyFreePort());
    expect(ports.size).toBe(150);
  });

  it('of processes that live at the same time are not the same', async () => {
    const processes = [1, 2, 3].map(() => takes(600));
    const ports = (await Promise.all(processes.map(({ ports }) => ports))).flat();
    for (const { child } of processes) child.stdin?.end();
    await Promise.all(processes.map(({ ended }) => ended));
    expect(ports).toHaveLength(1_800);
    expect(new Set(ports).size).toBe(1_800);
  });
});

describe('the port that a part of a home had last', () => {
  let homes = 0;
  const homeWith = (ports: Record<string, number>) => {
    homes += 1;
    const files = new Map<string, unknown>([['ports.json', ports]]);
    const home = {
      path: `/homes/${homes}`,
      readJson: async (name: string) => files.get(name),
      writeJson: async (name: string, value: unknown) => void files.set(name, value),
    };
    return home as unknown as Home;
  };

  it('is given again, unless it was given to another, another process holds its ports, or holding them takes it', async () => {
    let other = await anyFreePort();
    while (other % 20 > 10) other = await anyFreePort();
    const first = other - (other % 20);
    expect(await rememberedPort(homeWith({ api: other }), 'api')).not.toBe(other);
    const own = homeWith({ api: other + 5 });
    expect([await rememberedPort(own, 'api'), await rememberedPort(own, 'api')]).toEqual([other + 5, other + 5]);
    expect(await rememberedPort(homeWith({ api: other + 5 }), 'api')).not.toBe(other + 5);
    const others = await Promise.all(Array.from({ length: 20 }, anyFreePort));
    expect(others).not.toContain(other + 5);
    const { child, ports, ended } = takes(1);
    const [taken = 0] = await ports;
    for (const wrong of [taken + 1, first]) {
      const chosen = await rememberedPort(homeWith({ api: wrong }), 'api');
      expect(chosen).not.toBe(wrong);
      expect(await isFree(chosen)).toBe(true);
    }
    child.stdin?.end();
    await ended;
    const next = taken + 1;
    expect(await rememberedPort(homeWith({ api: next }), 'api')).toBe(next);
    const unheld = next - (next % 20) + 40;
    expect(await rememberedPort(homeWith({ api: unheld }), 'api')).not.toBe(unheld);
    expect(await isFree(unheld)).toBe(true);
  });

  it('stays with its part where another part of the home asks first', async () => {
    let before = await anyFreePort();
    while (before % 20 > 10) before = await anyFreePort();
    const home = homeWith({ db: before + 1 });
    expect(await rememberedPort(home, 'api')).not.toBe(before + 1);
    expect(await rememberedPort(home, 'db')).toBe(before + 1);
  });
});

/** A process that takes so many ports, one after the other, and lives until its input is closed. */
function takes(count: number): { child: ChildProcess; ports: Promise<number[]>; ended: Promise<unknown> } {
  const program = `
    const { anyFreePort } = await import('${MODULE}');
    const ports = [];
    for (let n = 0; n < ${count}; n += 1) ports.push(await anyFreePort());
    process.stdout.end(JSON.stringify(ports));
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  return { child, ports: text(child.stdout).then((printed) => JSON.parse(printed)), ended: once(child, 'exit') };
}
