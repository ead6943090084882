import { eventually } from '../support/eventually.ts';
import { expectAsForeseen, foresee } from '../support/foreseen.ts';
import type { Act } from './acts.ts';
import { iso, look, movedTo, pick, tried, type World } from './world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const freeze: Act = async (world, { a }) => {
  await tried(world, `/v1/c/customer/${pick(world.customers, a)}/inactivate`, { notes: 'a pause' });
};

export const endFreeze: Act = async (world, { a }) => {
  await tried(world, `/v1/c/customer/${pick(world.customers, a)}/activate`, { notes: 'back' });
};

/** The last request once more, under its own key: the same answer, whatever has happened since. */
export const repeat: Act = async (world) => {
  const { last, lastAnswer } = world;
  if (last === null || lastAnswer === null) return;
  const again = await world.courier(last);
  const [first, second] = [lastAnswer, again].map(({ status, body }) => JSON.stringify([status, body]));
  if (first !== second) throw new Error(`answered ${first}, and when repeated ${second}`);
};

/** So many of the youngest contracts are asked for their next invoice: the live ends of their chains are among them. */
const FORESEEN = 5;

/** To the next thing due, just before it, or by some hours or weeks. On the wall clock time just passes. */
export const advance: Act = async (world, { a, b }) => {
  if (world.clock === null) return;
  const { now, next_due } = await look(world, `/v1/c/test_clock/${world.clock.id}`);
  const here = Date.parse(now);
  const due = next_due == null ? here + DAY : Date.parse(next_due);
  const wished = [due, due - 1, here + (b % 30) * HOUR, here + (b % 9) * DAY, due + (b % 3), here + 32 * DAY][a % 6] ?? here;
  const to = Math.max(here, Math.min(wished, here + (await farthest(world))));
  const read = (path: string) => look(world, path);
  // what a gate waits for may happen meanwhile: then something more happens than was foreseen
  const foreseen = (await gatesMayEnd(world)) ? [] : await foresee(read, world.contracts.slice(-FORESEEN));
  await advanceTo(world, to);
  await expectAsForeseen(read, foreseen, here, to);
};

/** Whether money of the last gates may still come: they wait for three days at most, and a bank for one more. */
async function gatesMayEnd(world: World): Promise<boolean> {
  const gates = world.journal.gates.slice(-FORESEEN);
  const times = await Promise.all(
    gates.map(async (id) => Date.parse((await look(world, `/v1/c/contract/${id}`)).contract_summary.created)),
  );
  return times.some((created) => created > world.now() - 4 * DAY);
}

/** A contract by the hour makes every day 24 steps of the clock. */
async function farthest({ plans, vendor, courier }: World): Promise<number> {
  const hourly = plans.find(({ slug }) => slug === 'hourly');
  const { body } = await courier(() => vendor.api.get(`/v1/c/contract?plan=${hourly?.id}&limit=1`));
  return body.total > 0 ? DAY : 40 * DAY;
}

/** Moves the world's clock and waits for it: as long as it takes, unless it makes no more progress. */
export async function advanceTo(world: World, to: number): Promise<void> {
  if (world.clock === null) return;
  const path = `/v1/c/test_clock/${world.clock.id}`;
  await tried(world, `${path}/advance`, { now: iso(to) });
  const further = (from: string) => async () => {
    const clock = await look(world, path);
    if (clock.status === 'advancing' && clock.now === from) throw new Error(`on its way to ${iso(to)} the clock stands at ${from}`);
    return clock;
  };
  for (let from = ''; ; ) {
    const { status, reason, now } = await eventually(further(from));
    if (status === 'failed') throw new Error(`the clock stopped: ${reason}`);
    if (status === 'ready') return movedTo(world, to);
    from = now;
  }
}
