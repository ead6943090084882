import type { Act } from './acts.ts';
import { iso, look, pick, pickContract, tried, type World } from './world.ts';

const HOUR = 3_600_000;

/** When usage happened: on arrival mostly, some earlier, some ahead, some too far ahead. */
const WHEN: readonly ((now: number, n: number) => number | null)[] = [
  () => null,
  () => null,
  (now) => now,
  (now, n) => now - (n % 48) * HOUR - 1,
  (now, n) => now - (n % 20) * 5 * 24 * HOUR,
  (now, n) => now + (n % 50) * 60_000,
  (now) => now + 2 * HOUR,
];

async function report(world: World, customer: string | undefined, slug: string, units: number, at: number | null, more: object) {
  if (customer === undefined) return;
  const timestamp = at === null ? {} : { timestamp: iso(at) };
  const body = { customer_id: customer, feature_slug: slug, units: String(units), ...timestamp, ...more };
  const id = await tried<string>(world, '/v1/c/usage', body);
  if (id !== null) world.journal.reported({ id, customer, slug, units, at, absolute: 'is_absolute' in more });
}

export const use: Act = async (world, { a, b, c }) => {
  const at = pick(WHEN, b)?.(world.now(), c) ?? null;
  await report(world, pick(world.customers, a), b % 3 === 0 ? 'data' : 'calls', c % 90, at, c % 4 === 0 ? { allow_correction: true } : {});
};

/** Sets the zero value of its period. */
export const mark: Act = async (world, { a, b, c }) => {
  const at = b % 3 === 0 ? world.now() - (c % 30) * HOUR : null;
  await report(world, pick(world.customers, a), b % 2 === 0 ? 'data' : 'calls', c % 10, at, { is_absolute: true });
};

export const amend: Act = async (world, { a, c }) => {
  const event = pick([...world.journal.events.values()].slice(-12), a);
  if (event === undefined) return;
  const units = c % 70;
  if ((await tried(world, `/v1/c/usage/${event.id}/amend`, { units: String(units) })) !== null) event.units = units;
};

export const discard: Act = async (world, { a }) => {
  const event = pick([...world.journal.events.values()].slice(-12), a);
  if (event !== undefined && (await accepted(world, `/v1/c/usage/${event.id}/discard`))) event.discarded = true;
};

async function accepted(world: World, path: string): Promise<boolean> {
  await tried(world, path);
  return (world.lastAnswer?.status ?? 500) < 300;
}

export const closeUsage: Act = async (world, { a, b }) => {
  const id = pickContract(world, a);
  if (id === undefined) return;
  const { hits: periods }: { hits: { idx: number }[] } = await look(world, `/v1/c/contract/${id}/usage_period`);
  const period = pick(periods, b);
  if (period !== undefined) await tried(world, `/v1/c/contract/${id}/usage_period/${period.idx}/close`);
};
