import type { Act } from './acts.ts';
import { iso, movedTo, pick, tried } from './world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const freeze: Act = async (world, { a }) => {
  await tried(world, `/v1/c/customer/${pick(world.customers, a)}/inactivate`, { notes: 'a pause' });
};

export const thaw: Act = async (world, { a }) => {
  await tried(world, `/v1/c/customer/${pick(world.customers, a)}/activate`, { notes: 'back' });
};

/** The last request once more, under its own key: the same answer, whatever has happened since. */
export const repeat: Act = async (world) => {
  const { last, lastAnswer } = world;
  if (last === null || lastAnswer === null) return;
  const again = await world.courier(last);
  const [first, second] = [lastAnswer, again].map(({ status, body }) =>
    status === 409 || status < 300 ? JSON.stringify([status, body]) : '',
  );
  if (first !== second) throw new Error(`answered ${first}, and when repeated ${second}`);
};

/** To the next thing due, just before it, or by some hours or weeks. On the wall clock time passes by itself. */
export const advance: Act = async (world, { a, b }) => {
  const { clock } = world;
  if (clock === null) return;
  const { now, next_due } = await world.courier(() => world.vendor.api.get(`/v1/c/test_clock/${clock.id}`)).then(({ body }) => body);
  const here = Date.parse(now);
  const due = next_due == null ? here + DAY : Date.parse(next_due);
  const wished = [due, due - 1, here + (b % 30) * HOUR, here + (b % 9) * DAY, due + (b % 3), here + 32 * DAY][a % 6] ?? here;
  const to = Math.max(here, Math.min(wished, here + 40 * DAY));
  await clock.advanceTo(iso(to), 60_000);
  movedTo(world, to);
};
