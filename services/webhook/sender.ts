import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/connect.ts';
import { firstBodies } from '../../db/sql/webhook/bodies.ts';
import { type DueLane, dueLanes } from '../../db/sql/webhook/due-lanes.ts';
import type { DeliveringEndpoint } from '../../db/sql/webhook/lock-endpoint.ts';
import { eventsBySeq } from '../../db/sql/webhook/read-news.ts';
import type { Webhooks } from './port.ts';
import { ensureBodies } from './read-log.ts';
import { unseal } from './seal.ts';
import { attemptOf, notedTry, type SentLane, settleLanes } from './settle.ts';
import { signedHeaders } from './sign.ts';

/** Requests under way at the same time. */
const AT_ONCE = 16;
/** Lanes taken at the same time, so that requests never wait for the next ones to be read. */
const TAKEN = 64;
/** Events of one object sent in a row before what became of them is written down, and the milliseconds for that. */
const IN_A_ROW = 10;
const IN_A_ROW_MS = 1_000;
/** Lanes written down together while others are being sent, and the milliseconds for which the first of them waits. */
const TOGETHER = TAKEN / 2;
const TOGETHER_MS = 100;
/**
 * The most bytes of bodies that are held for lanes that are taken; a single longer body is held all the same. One body
 * may have a million bytes, and a process sends to many endpoints.
 */
const HELD = 4_000_000;

/** Sends what an endpoint is due: its lanes side by side, the events of each in order. */
export class Sender {
  readonly #db: Database;
  readonly #webhooks: Webhooks;
  readonly #endpointId: string;
  readonly #stopped: AbortSignal;
  readonly #abandoned = new AbortController();
  readonly #taken = new Set<string>();
  readonly #queue: (() => Promise<void>)[] = [];
  #sending = 0;
  /** the length of all bodies of lanes that are taken */
  #held = 0;
  #sent: SentLane[] = [];
  /** when the first of them ended */
  #firstSent: number | null = null;
  #ended = Promise.withResolvers<void>();
  #begins = true;
  #failure: { error: unknown } | null = null;

  constructor(db: Database, webhooks: Webhooks, endpointId: string, stopped: AbortSignal) {
    this.#db = db;
    this.#webhooks = webhooks;
    this.#endpointId = endpointId;
    this.#stopped = AbortSignal.any([stopped, this.#abandoned.signal]);
  }

  /** Whether something is being sent, or has to be written down. */
  get isBusy(): boolean {
    return this.#taken.size > 0;
  }

  /** Whether it begins further events, of those that are taken too. */
  set begins(begins: boolean) {
    this.#begins = begins;
  }

  /** Sends nothing more and waits for no answer: the next run sends it again. */
  abandon(): void {
    this.#abandoned.abort();
  }

  /** Takes lanes that are due. @returns how many */
  async take(endpoint: DeliveringEndpoint, secrets: readonly string[]): Promise<number> {
    const places = TAKEN - this.#taken.size;
    if (places < TAKEN / 2 || this.#held >= HELD) return 0;
    const lanes = await dueLanes(this.#db, this.#endpointId, [...this.#taken], { most: places, events: IN_A_ROW });
    const bodies = await this.#bodiesOf(endpoint.vendorId, lanes);
    const ready = lanes.filter(({ events: [first] }) => first === undefined || bodies.has(first.seq));
    for (const lane of ready) {
      const own = lane.events.map(({ seq }) => bodies.get(seq)).filter((body) => body !== undefined);
      this.#taken.add(lane.lane);
      this.#held += lengthOf(own);
      this.#queue.push(() => this.#sendLane(lane, { url: endpoint.url, secrets, bodies: own }));
    }
    while (this.#sending < AT_ONCE && this.#queue.length > 0) void this.#work();
    return ready.length;
  }

  /** Writes down what became of the lanes sent so far, once there is a group of them. */
  async settle(): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    if (!this.#isGroup) return;
    const sent = this.#sent.splice(0);
    this.#firstSent = null;
    // a lane that was stopped before its first try stays as it is
    const settled = sent.filter(({ lane, tries }) => tries.length > 0 || lane.events.length === 0);
    if (settled.length > 0) await settleLanes(this.#db, this.#webhooks.schedule, this.#endpointId, settled);
    for (const { lane } of sent) this.#taken.delete(lane.lane);
  }

  /** Resolves when there is a group of lanes to write down, at the latest after the given milliseconds. */
  async change(longestMs: number): Promise<void> {
    if (!this.#isGroup) {
      const left = this.#firstSent === null ? longestMs : this.#firstSent + TOGETHER_MS - Date.now();
      const over = new AbortController();
      await Promise.race([
        this.#ended.promise,
        pause(Math.min(left, longestMs), undefined, { signal: over.signal }).catch(() => undefined),
      ]);
      over.abort();
    }
    this.#ended = Promise.withResolvers();
  }

  /** Whether the lanes sent are enough for one transaction, or have waited for it, or no other is under way. */
  get #isGroup(): boolean {
    if (this.#failure !== null) return true;
    if (this.#firstSent === null) return false;
    const isLast = this.#sent.length === this.#taken.size;
    return isLast || this.#sent.length >= TOGETHER || Date.now() - this.#firstSent >= TOGETHER_MS;
  }

  async #work(): Promise<void> {
    this.#sending += 1;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) await next();
    this.#sending -= 1;
  }

  /** Bodies of the first events of the lanes, as many as may be held. */
  async #bodiesOf(vendorId: string, lanes: readonly DueLane[]): Promise<Map<string, string>> {
    const seqs = lanes.flatMap(({ events }) => events.map(({ seq }) => seq));
    const read = () => firstBodies(this.#db, vendorId, seqs, HELD - this.#held);
    let found = await read();
    const missing = found.filter(({ isMissing }) => isMissing).map(({ seq }) => seq);
    if (missing.length > 0) {
      // of the time before the vendor had an endpoint
      await ensureBodies(this.#db, this.#webhooks.makeBodies, vendorId, await eventsBySeq(this.#db, vendorId, missing));
      found = await read();
      const none = found.find(({ isMissing }) => isMissing);
      if (none !== undefined) throw new Error(`event ${none.seq} has no body`);
    }
    return new Map(found.flatMap(({ seq, body }) => (body === null ? [] : [[seq, body]])));
  }

  async #sendLane(lane: DueLane, to: { url: string; secrets: readonly string[]; bodies: readonly string[] }): Promise<void> {
    const tries: SentLane['tries'] = [];
    try {
      const began = Date.now();
      for (const [place, event] of lane.events.entries()) {
        const at = Date.now();
        const body = to.bodies[place];
        // what is not held of it comes with the lane's next turn
        if (body === undefined || !this.#begins || this.#stopped.aborted || at - began > IN_A_ROW_MS) break;
        const headers = { 'content-type': 'application/json', 'user-agent': 'Perennial', ...signedHeaders(event.id, at, body, to.secrets) };
        const answered = await this.#webhooks.transport.post(to.url, headers, body, this.#stopped);
        const noted = notedTry({ eventId: event.id, attempt: attemptOf(lane, event), at }, answered);
        tries.push({ event, noted });
        if (noted.status === 'failed') break;
      }
    } catch (error) {
      // what was under way when the worker stopped is sent again
      if (!this.#stopped.aborted) this.#failure = { error };
    }
    this.#held -= lengthOf(to.bodies);
    this.#sent.push({ lane, tries });
    this.#firstSent ??= Date.now();
    if (this.#isGroup) this.#ended.resolve();
  }
}

const lengthOf = (bodies: readonly string[]): number => bodies.reduce((all, { length }) => all + length, 0);

/**
 * The secrets that an endpoint's deliveries are signed with: the current one, and former ones while they hold. Null:
 * the current one was sealed with another secret of the installation.
 */
export function secretsOf({ id, secret, formerSecrets }: DeliveringEndpoint, own: string, now: number): string[] | null {
  const current = unseal(secret, id, own);
  if (current === null) return null;
  return [current, ...formerSecrets.filter(({ until }) => until > now).flatMap((former) => unseal(former.secret, id, own) ?? [])];
}
