import { randomUUID } from 'node:crypto';
import type { AnyJson, TestResponse } from '../support/api.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import type { Servers } from '../support/servers.ts';
import type { TestVendor } from '../support/vendor.ts';
import { plans } from './catalogue.ts';
import { Journal } from './journal.ts';

/**
 * Sends one request until its answer is final. The default sends it once; under fire it is sent again with the same
 * key.
 */
export type Courier = (send: () => Promise<TestResponse>) => Promise<TestResponse>;

/** A vendor with some customers, what was asked of the service in their name, and what was answered. */
export interface World {
  vendor: TestVendor;
  /** null: the wall clock */
  clock: ClockHandle | null;
  /** where the clock stands, epoch milliseconds */
  now(): number;
  plans: readonly { id: string; slug: string }[];
  discounts: readonly string[];
  customers: readonly string[];
  /** every contract that came to be, oldest first */
  contracts: string[];
  journal: Journal;
  /** the last write, to be sent again */
  last: (() => Promise<TestResponse>) | null;
  lastAnswer: TestResponse | null;
  courier: Courier;
  /** of the test's own, where it has some */
  servers: Servers | undefined;
}

export interface WorldOptions {
  customers: number;
  clock: string | null;
  courier?: Courier;
  servers?: Servers;
}

export async function newWorld(
  vendor: TestVendor,
  { customers, clock, courier = (send) => send(), servers }: WorldOptions,
): Promise<World> {
  const rates = [{ country: 'DE', rate: '0.19' }];
  await vendor.api.made('/v1/c/preferences/tax', { rates, policy: 'tax_excluded' });
  const made: World['plans'][number][] = [];
  for (const body of plans()) made.push({ id: await vendor.api.made('/v1/c/plan', body), slug: body.slug });
  const discount = { slug: 'welcome', name: 'Welcome', discount_type: 'percentage', amount: '33', duration: 2 };
  const flat = { slug: 'off', name: 'Off', discount_type: 'flat', amount: '7', duration: 3, currency: 'usd' };
  const discounts = [await vendor.api.made('/v1/c/discount', discount), await vendor.api.made('/v1/c/discount', flat)];
  const testClock = clock === null ? null : await clockOf(vendor, clock);
  const people: string[] = [];
  for (let i = 0; i < customers; i += 1) people.push(await register(vendor, i, testClock?.id ?? null));
  const world: World = {
    vendor,
    clock: testClock,
    plans: made,
    discounts,
    customers: people,
    contracts: [],
    journal: new Journal(),
    last: null,
    lastAnswer: null,
    courier,
    servers,
    now: () => standing,
  };
  let standing = clock === null ? 0 : Date.parse(clock);
  if (clock === null) world.now = () => Date.now();
  else movers.set(world, (to) => (standing = to));
  return world;
}

const movers = new WeakMap<World, (to: number) => void>();

/** Says where the test clock stands now. */
export function movedTo(world: World, to: number): void {
  movers.get(world)?.(to);
}

/** The first pays by hand, the second by a card that works, the third by one that is declined. */
async function register({ api }: TestVendor, index: number, clock: string | null): Promise<string> {
  const address = { line_1: 'Hauptstr. 1', city: 'Berlin', zip: '10115', country: index % 2 === 0 ? 'DE' : 'US' };
  const who = { name: `Customer ${index}`, addresses: { main: address }, ...(clock === null ? {} : { test_clock: clock }) };
  const id = await api.made('/v1/c/customer', who);
  await api.made(`/v1/c/customer/${id}/activate`, {});
  const method = [null, 'sandbox_ok', 'sandbox_declined', 'sandbox_slow'][index % 4];
  if (method != null) {
    const session = await api.made<AnyJson>(`/v1/c/customer/${id}/payment/session`, { operation: 'add_method', provider: 'sandbox' });
    await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: method });
  }
  return id;
}

/** A write: it may be refused, it may not fail. */
async function say(world: World, path: string, body: unknown = {}): Promise<TestResponse> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => world.vendor.api.post(path, body, headers);
  const answer = await world.courier(send);
  expectAnswered(answer, path, body);
  world.last = isKept(answer, path) ? send : null;
  world.lastAnswer = answer;
  return answer;
}

/**
 * Nothing is kept under the key of a request that was not valid, of a refused report of usage, or of a refusal that
 * passes after a while: sent again later, it may be carried out.
 */
const isKept = ({ status, headers }: TestResponse, path: string): boolean =>
  status < 300 || (status !== 400 && path !== '/v1/c/usage' && headers.get('retry-after') === null);

/** As `say`, for what succeeded: its body, else null. */
export async function tried<T = AnyJson>(world: World, path: string, body: unknown = {}): Promise<T | null> {
  const answer = await say(world, path, body);
  return answer.status < 300 ? answer.body : null;
}

export async function look(world: World, path: string): Promise<AnyJson> {
  const answer = await world.courier(() => world.vendor.api.get(path));
  if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function expectAnswered({ status, body }: TestResponse, path: string, request: unknown): void {
  if (status >= 200 && status < 300) return;
  if (status >= 400 && status < 500) return;
  throw new Error(`POST ${path} ${JSON.stringify(request)} answered ${status}: ${JSON.stringify(body)}`);
}

export const pick = <T>(from: readonly T[], index: number): T | undefined => from[index % from.length];

/** Mostly the newest contracts, which are the live ends of their chains. */
export const pickContract = (world: World, index: number): string | undefined => pick(world.contracts.slice(-5), index);

export const iso = (at: number): string => new Date(at).toISOString();
