import type { ContractActivities } from '../../activities/contract/index.ts';
import { DAY, HOUR, type Instant, iso, MINUTE } from '../../billing/calendar/instant.ts';
import { newId } from '../../db/id.ts';
import { recordOne } from '../../services/usage/record-one.ts';
import { eventually } from '../support/eventually.ts';
import type { Kit } from './kit.ts';

/**
 * A chain of the wall clock, and the instant something was due for it; a freeze over that instant moves it and all that
 * follows.
 */
interface Played {
  chainId: string;
  dueAt: Instant;
  frozenMs?: number;
}

/** A concern of a contract's lifecycle, met on the wall clock: by the hour, signed a little less than an hour back. */
export interface LifecycleStory {
  concern: string;
  activity: keyof ContractActivities;
  /** Signs what is due soon; resolves before that. */
  play(kit: Kit): Promise<Played>;
  /** status and period of each contract of the chain */
  contracts: string[];
  /** `idx: from to`, the chain's periods in minutes from the instant */
  periods: string[];
  /** `minutes from the instant: total` */
  invoices: string[];
  /** what the activity's result lists as done, in order */
  done: string[];
}

/** Milliseconds for what a story does before the instant, while the other stories run too. */
const AHEAD = 40_000;
const hourly = { cycle: 'hour' } as const;

function mustBe(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}

const rollsOver = async (kit: Kit): Promise<Played> => {
  const dueAt = Date.now() + AHEAD;
  const chainId = await kit.sign(await kit.customer(), await kit.plan('10.00', hourly), { activation: dueAt - HOUR });
  return { chainId, dueAt };
};

export const LIFECYCLE: readonly LifecycleStory[] = [
  {
    concern: 'the end of a free trial',
    activity: 'endTrial',
    play: async (kit) => {
      const dueAt = Date.now() + AHEAD;
      const plan = await kit.plan('10.00', { ...hourly, trialDays: 1 });
      return { chainId: await kit.sign(await kit.customer(), plan, { activation: dueAt - DAY }), dueAt };
    },
    contracts: ['active 1'],
    periods: ['0: -1440 0', '1: 0 60'],
    invoices: ['0: 10.00'],
    done: ['invoice.created'],
  },
  {
    concern: 'a rollover',
    activity: 'rollOverCycle',
    play: rollsOver,
    contracts: ['active 2'],
    periods: ['1: -60 0', '2: 0 60'],
    invoices: ['-60: 10.00', '0: 10.00'],
    done: ['contract.renewed', 'invoice.created'],
  },
  {
    concern: 'a change put off to the end of the cycle',
    activity: 'applyScheduledChange',
    play: async (kit) => {
      const dueAt = Date.now() + AHEAD;
      const chainId = await kit.sign(await kit.customer(), await kit.plan('20.00', hourly), { activation: dueAt - HOUR });
      await kit.change(chainId, await kit.plan('10.00', hourly));
      return { chainId, dueAt };
    },
    contracts: ['moved 1', 'active 1'],
    periods: ['1: -60 0', '1: 0 60'],
    invoices: ['-60: 20.00', '0: 10.00'],
    done: ['contract.change.completed', 'invoice.created'],
  },
  {
    concern: 'usage that closes 15 minutes late',
    activity: 'closeUsagePeriod',
    play: async (kit) => {
      const dueAt = Date.now() + AHEAD;
      const customer = await kit.customer();
      const plan = await kit.plan('10.00', { ...hourly, calls: '0.50' });
      const activation = dueAt - HOUR - 15 * MINUTE;
      const chainId = await kit.sign(customer, plan, { activation, configuration: { usagePeriodClosingPolicy: '15 minutes' } });
      await reportCalls(kit, customer, '3', dueAt - 30 * MINUTE);
      return { chainId, dueAt };
    },
    contracts: ['active 2'],
    periods: ['1: -75 -15', '2: -15 45'],
    invoices: ['-75: 10.00', '-15: 10.00', '0: 1.50'],
    done: ['usage_period.closed', 'invoice.created'],
  },
  {
    concern: 'usage that closes with its cycle',
    activity: 'closeUsagePeriod',
    play: async (kit) => {
      const dueAt = Date.now() + AHEAD;
      const customer = await kit.customer();
      const chainId = await kit.sign(customer, await kit.plan('10.00', { ...hourly, calls: '0.50' }), { activation: dueAt - HOUR });
      await reportCalls(kit, customer, '4', dueAt - 30 * MINUTE);
      return { chainId, dueAt };
    },
    contracts: ['active 2'],
    periods: ['1: -60 0', '2: 0 60'],
    invoices: ['-60: 10.00', '0: 12.00'],
    done: ['usage_period.closed', 'contract.renewed', 'invoice.created'],
  },
  {
    concern: 'an activation ahead',
    activity: 'activate',
    play: async (kit) => {
      const dueAt = Date.now() + AHEAD;
      return { chainId: await kit.sign(await kit.customer(), await kit.plan('10.00', hourly), { activation: dueAt }), dueAt };
    },
    contracts: ['active 1'],
    periods: ['1: 0 60'],
    invoices: ['0: 10.00'],
    done: ['contract.signature.completed', 'invoice.created'],
  },
  {
    concern: 'a freeze over the boundary, then the activation, which moves it by the frozen time',
    activity: 'rollOverCycle',
    play: async (kit) => {
      const { chainId, dueAt } = await rollsOver(kit);
      const [row] = await kit.db.query<{ customer_id: string }>('select customer_id from contract where id = $1', [chainId]);
      const customer = row?.customer_id ?? '';
      await kit.freeze(customer);
      await eventually(() => mustBe(Date.now() > dueAt + 500, 'the hour is not over'));
      mustBe((await kit.state(chainId)).idx === 1, 'a frozen contract has rolled over');
      const { isFrozen, due } = await kit.look(chainId);
      mustBe(isFrozen && due.length === 0, 'its workflow does not know of the freeze');
      await kit.activate(customer);
      const [pause] = await kit.db.query<{ began: number; ended: number }>(
        'select began, ended from customer_pause where customer_id = $1',
        [customer],
      );
      return { chainId, dueAt, frozenMs: (pause?.ended ?? 0) - (pause?.began ?? 0) };
    },
    contracts: ['active 2'],
    periods: ['1: -60 0', '2: 0 60'],
    invoices: ['-60: 10.00', '0: 10.00'],
    done: ['contract.renewed', 'invoice.created'],
  },
  {
    concern: 'a freeze that ends by itself, at its very instant',
    activity: 'rollOverCycle',
    play: async (kit) => {
      const { chainId, dueAt } = await rollsOver(kit);
      const [row] = await kit.db.query<{ customer_id: string }>('select customer_id from contract where id = $1', [chainId]);
      const customer = row?.customer_id ?? '';
      const resumeAt = dueAt + 1_000;
      await kit.freeze(customer, resumeAt);
      const { isFrozen, resumesAt } = await kit.look(chainId);
      mustBe(isFrozen && resumesAt === resumeAt, 'its workflow does not know when the freeze ends');
      const pauses = () =>
        kit.db.query<{ began: number; ended: number | null }>('select began, ended from customer_pause where customer_id = $1', [customer]);
      await eventually(async () => mustBe((await pauses())[0]?.ended === resumeAt, 'the freeze has not ended'));
      return { chainId, dueAt, frozenMs: resumeAt - ((await pauses())[0]?.began ?? 0) };
    },
    contracts: ['active 2'],
    periods: ['1: -60 0', '2: 0 60'],
    invoices: ['-60: 10.00', '0: 10.00'],
    done: ['contract.renewed', 'invoice.created'],
  },
  {
    concern: 'reminder that a free trial will end',
    activity: 'tellOfTrialEnd',
    play: async (kit) => {
      const dueAt = Date.now() + AHEAD;
      const plan = await kit.plan('10.00', { ...hourly, trialDays: 14 });
      return { chainId: await kit.sign(await kit.customer(), plan, { activation: dueAt - 11 * DAY }), dueAt };
    },
    contracts: ['active null'],
    periods: [`0: ${-11 * 1_440} ${3 * 1_440}`],
    invoices: [],
    done: ['trial.ending'],
  },
  {
    concern: 'a cancellation at the end of the cycle',
    activity: 'endContract',
    play: async (kit) => {
      const played = await rollsOver(kit);
      await kit.cancel(played.chainId, { type: 'end_of_cycle' });
      return played;
    },
    contracts: ['canceled 1'],
    periods: ['1: -60 0'],
    invoices: ['-60: 10.00'],
    done: ['contract.cancellation.completed'],
  },
  {
    concern: 'an expiration',
    activity: 'endContract',
    play: async (kit) => {
      const dueAt = Date.now() + AHEAD;
      const terms = { activation: dueAt - 30 * MINUTE, expiration: dueAt };
      return { chainId: await kit.sign(await kit.customer(), await kit.plan('10.00', hourly), terms), dueAt };
    },
    contracts: ['canceled 1'],
    periods: ['1: -30 0'],
    invoices: ['-30: 10.00'],
    done: ['contract.cancellation.completed'],
  },
];

export async function reportCalls(kit: Kit, customerId: string, units: string, timestamp: Instant): Promise<void> {
  const plain = { keyId: '', slug: 'calls', isAbsolute: false, metadata: {}, idempotencyKey: null, allowCorrection: false };
  const recorded = await recordOne(kit.db, { id: newId('Evt'), vendorId: kit.vendorId, customerId, units, timestamp, ...plain }, 4_000);
  if ('error' in recorded) throw recorded.error;
}

type Facts = Pick<LifecycleStory, 'contracts' | 'periods' | 'invoices'>;

/** What has become of a chain, in minutes from an instant. */
export async function factsOf({ db }: Kit, { chainId, dueAt, frozenMs = 0 }: Played): Promise<Facts> {
  const minutes = (at: Instant): number => (at < dueAt ? at - dueAt : at - dueAt - frozenMs) / MINUTE;
  const contracts = await db.query<{ status: string; idx: number | null }>(
    'select status, current_idx as idx from contract where root_id = $1 order by created, id',
    [chainId],
  );
  const periods = await db.query<{ idx: number; from: Instant; to: Instant }>(
    `select p.idx, p.usage_from as from, p.usage_until as to from usage_period p join contract c on c.id = p.contract_id
     where c.root_id = $1 order by p.usage_from`,
    [chainId],
  );
  const invoices = await db.query<{ date: Instant; total: string }>(
    'select i.date, i.total from invoice i join contract c on c.id = i.contract_id where c.root_id = $1 order by i.date, i.number',
    [chainId],
  );
  return {
    contracts: contracts.map(({ status, idx }) => `${status} ${idx}`),
    periods: periods.map(({ idx, from, to }) => `${idx}: ${minutes(from)} ${minutes(to)}`),
    invoices: invoices.map(({ date, total }) => `${minutes(date)}: ${total}`),
  };
}

/** Ids of what was invoiced at the instant. */
export async function invoicesDueAt({ db }: Kit, { chainId, dueAt, frozenMs = 0 }: Played): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select i.id from invoice i join contract c on c.id = i.contract_id where c.root_id = $1 and i.date = $2',
    [chainId, iso(dueAt + frozenMs)],
  );
  return rows.map(({ id }) => id);
}

/** All at once: one after the other, each would wait for its own instant. */
export const playAll = (kit: Kit): Map<string, Promise<Played>> => new Map(LIFECYCLE.map(({ concern, play }) => [concern, play(kit)]));
