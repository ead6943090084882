import { connect, type Database, type Queryable } from '../../db/connect.ts';
import type { PartName } from '../../local-stack/part.ts';
import type { Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';

export type Story = { vendor: TestVendor; clock: string; contract: string };

/** Lines of an import that are sent at once. */
const PAGE = 250;

type Clock = { now: string; status: 'ready' | 'advancing' | 'failed'; reason?: string | null };

/** The servers of the file, with a vendor and a connection to their database of the story's own. */
export interface CrashStage {
  stack: OwnStack;
  vendor: TestVendor;
  db: Database;
  close(): Promise<void>;
}

export async function crashStage(): Promise<CrashStage> {
  const stack = await stackOfFile();
  const db = await connect({ databaseUrl: stack.servers.databaseUrl, databasePool: 2 });
  return { stack, vendor: await stack.newVendor(), db, close: () => db.close() };
}

const PARTS: readonly PartName[] = ['postgres', 'temporal', 'worker', 'api'];

let started: Promise<OwnStack> | null = null;

/** The servers that the stories of a file share: the first one starts them, each gets them all running. */
export async function stackOfFile(): Promise<OwnStack> {
  started ??= ownStack();
  const stack = await started;
  // a story that failed may have left some of them dead
  for (const part of PARTS) if (!stack.isRunning(part)) await stack.restart(part);
  return stack;
}

afterAll(async () => (await started)?.stop());

/**
 * Kills the worker while what it does waits for a lock of ours, so that it dies in the middle of its transaction; the
 * lock is given up behind that. The worker stays dead.
 *
 * @param lock takes the lock, which nobody but the worker may want
 * @param setOff has the worker do it, where no timer does
 */
export async function killWorkerAt(
  { stack, db }: Pick<CrashStage, 'stack' | 'db'>,
  lock: { sql: string; params?: readonly unknown[] },
  setOff: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await db.transaction(async (holder) => {
    await holder.query(lock.sql, lock.params);
    await setOff();
    await eventually(async () => expect(await waitingFor(holder, db)).toBe(1));
    await stack.kill9('worker');
  });
}

interface Reporting {
  events: number;
  senders: number;
  /** so many are answered before the process dies */
  killedAfter: number;
}

/**
 * Reports events of one feature from many senders at once, each with a key of its own, while a process is killed; it
 * runs again in the end.
 *
 * @returns what each answered event got, and what sends those again that got no answer
 */
export async function reportWhileKilled(
  { stack, vendor, victim }: { stack: OwnStack; vendor: TestVendor; victim: PartName },
  event: Record<string, string>,
  { events, senders, killedAfter }: Reporting,
): Promise<{ answered: Map<string, string>; sendLostAgain(): Promise<void> }> {
  const waiting = Array.from({ length: events }, (_, n) => `${victim}-${n}`);
  const answered = new Map<string, string>();
  const lost: string[] = [];
  const send = async (key: string): Promise<boolean> => {
    const answer = await vendor.api.post('/v1/c/usage', event, { 'idempotency-key': key }).catch(() => null);
    if (answer?.status === 200) answered.set(key, answer.body);
    return answer?.status === 200;
  };
  const { promise: underWay, resolve: killNow } = Promise.withResolvers<void>();
  const sending = Array.from({ length: senders }, async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      if (!(await send(key))) lost.push(key);
      if (answered.size >= killedAfter) killNow();
    }
  });
  await underWay;
  await stack.kill9(victim);
  await Promise.all(sending);
  await stack.restart(victim);
  expect(lost.length).toBeGreaterThan(0);
  const sendLostAgain = async () => {
    for (const key of lost) await eventually(async () => expect(await send(key)).toBe(true));
  };
  return { answered, sendLostAgain };
}

/** A vendor, a clock on 1 January 2024, and a customer on it who pays 100.00 a month. */
export async function signMonthly(stack: OwnStack): Promise<Story> {
  const vendor = await stack.newVendor();
  const flat = { amount: '100.00', strategy_details: { pricing_strategy: 'flat' } };
  const plan = await vendor.api.made('/v1/c/plan', {
    slug: 'pro',
    internal_name: 'Pro',
    strategy: 'plan',
    features: [],
    pricings: [{ currency: 'usd', cycle: 'month', price: flat, features: {}, groups: {} }],
  });
  const clock = await vendor.api.made('/v1/c/test_clock', { now: '2024-01-01T00:00:00Z' });
  const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock });
  const contract = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  return { vendor, clock, contract };
}

export async function setOff({ vendor, clock }: Story, to: string): Promise<void> {
  await vendor.api.made(`/v1/c/test_clock/${clock}/advance`, { now: to });
}

/**
 * Sends the clock of a story to an instant, and kills a part when it has written some invoices but not all: a step that
 * numbers an invoice waits for a lock of ours then, which is given up behind that. The part stays dead.
 *
 * @param all how many there are in the end
 */
export async function killUnderWay(
  stack: OwnStack,
  story: Story,
  to: string,
  { part, all }: { part: PartName; all: number },
): Promise<void> {
  const { vendorId } = story.vendor;
  const lock = (tx: Queryable) => tx.query('select from invoice_counter where vendor_id = $1 for update', [vendorId]);
  const inDatabase = <T>(work: (db: Database) => Promise<T>): Promise<T> => withTestDatabase(work, stack.servers);
  const waits = (holder: Queryable, beside: Queryable, count: number) =>
    eventually(async () => expect(await waitingFor(holder, beside)).toBe(count), { every: 5 });
  const [held, given] = [Promise.withResolvers<Queryable>(), Promise.withResolvers<void>()];
  const first = inDatabase((db) =>
    db.transaction(async (tx) => {
      await lock(tx);
      held.resolve(tx);
      await given.promise;
    }),
  );
  const holder = await held.promise;
  let hasDied = false;
  const second = (db: Database) =>
    db.transaction(async (tx) => {
      await lock(tx);
      await waits(tx, db, 1);
      const written = await tx.query('select id from invoice where contract_id = $1', [story.contract]);
      expect([1 < written.length, written.length < all]).toEqual([true, true]);
      await stack.kill9(part);
      hasDied = true;
    });
  // the first step waits for the first lock, and the second lock for that step, so the second step waits for the second
  await inDatabase(async (db) => {
    await setOff(story, to);
    await waits(holder, db, 1);
    const dying = second(db);
    await Promise.race([waits(holder, db, 2), dying]);
    given.resolve();
    await dying.catch((error: unknown) => {
      // our own transaction goes with Postgres
      if (!hasDied) throw error;
    });
  }).finally(() => given.resolve());
  await first;
  expect(stack.isRunning(part)).toBe(false);
}

export async function whenDone(story: Story, timeout = 120_000): Promise<void> {
  await eventually(async () => expect(await clockOf(story)).toMatchObject({ status: 'ready' }), { timeout });
}

export async function dieAndReturn(stack: OwnStack, part: PartName): Promise<void> {
  await stack.kill9(part);
  expect(stack.isRunning(part)).toBe(false);
  await stack.restart(part);
}

async function invoicesOf({ vendor, contract }: Story): Promise<{ date: string; total: string }[]> {
  const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}&limit=100`);
  return (hits as { invoice: { date: string; total: string } }[]).map(({ invoice }) => invoice);
}

/** The days on which the contract was invoiced, in order; each invoice says 100.00. */
export async function invoiceDates(story: Story): Promise<string[]> {
  const invoices = await invoicesOf(story);
  expect(invoices.filter(({ total }) => total !== '100.00')).toEqual([]);
  return invoices.map(({ date }) => date.slice(0, 10)).sort();
}

/** The first of each month from January 2024, `count` of them. */
export function firsts(count: number): string[] {
  return Array.from({ length: count }, (_, month) => new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 10));
}

async function clockOf({ vendor, clock }: Story): Promise<Clock> {
  return vendor.api.read<Clock>(`/v1/c/test_clock/${clock}`);
}

/** Sends the lines of an import, which waits to be started. */
export async function loadImport(api: Api, lines: readonly object[]): Promise<string> {
  const id = await api.made<string>('/v1/c/import', {});
  for (let from = 0; from < lines.length; from += PAGE) {
    const page = lines.slice(from, from + PAGE).map((line, index) => ({ number: from + index + 1, line }));
    await api.made(`/v1/c/import/${id}/lines`, { lines: page });
  }
  return id;
}

/** How far an imported contract is billed: from an hour ago to a month later. */
export function upToNow(): object {
  const anchor = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000);
  const end = new Date(anchor);
  end.setUTCMonth(end.getUTCMonth() + 1);
  // a month end that the next month doesn't have
  if (end.getUTCDate() !== anchor.getUTCDate()) end.setUTCDate(0);
  return { anchor: anchor.toISOString(), billed_until: end.toISOString() };
}

/** How many contracts were changed once, how many more often, and how many changes have not exactly one invoice. */
export async function changesOf(db: Queryable, ids: readonly string[]): Promise<object> {
  const SQL = `select count(*) filter (where n = 1)::int as once, count(*) filter (where n > 1)::int as more,
      count(*) filter (where n = 1 and invoices <> 1)::int as invoices
    from (select s.predecessor_id, count(distinct s.id) as n, count(i.id) as invoices
      from contract s left join invoice i on i.contract_id = s.id where s.predecessor_id = any($1::text[]) group by 1) one`;
  const [row] = await db.query<object>(SQL, [ids]);
  return row ?? {};
}
