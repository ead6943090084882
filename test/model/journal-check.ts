import type { Database } from '../../db/connect.ts';
import { METERED, usageCents } from './catalogue.ts';
import type { Journal, ReportedEvent } from './journal.ts';

interface EventRow {
  id: string;
  customer_id: string;
  contract_id: string;
  period_idx: number;
  feature_slug: string;
  units: string;
  timestamp: number;
  is_absolute: boolean;
  discarded: boolean;
  seq: string;
}

interface PeriodRow {
  contract_id: string;
  idx: number;
  status: string;
  plan: string;
  billed: string;
  /** what credit notes gave back of it, without tax */
  noted: string;
  /** units counted before, as the usage line tells */
  began: string | null;
  /** an invoice threshold has charged something of it before its closing */
  in_parts: boolean;
  waiting: boolean;
  goes_on: string[];
  follows_contract_id: string | null;
  follows_idx: number | null;
}

/**
 * Compares what was answered with a success with the rows: nothing is lost, nothing done twice, nothing done without a
 * request.
 */
export async function journalWrong(db: Database, vendorId: string, journal: Journal): Promise<string[]> {
  const events = await eventsOf(db, vendorId);
  return [
    ...eventsWrong(events, journal),
    ...(await usageWrong(db, vendorId, events)),
    ...(await chargesWrong(db, vendorId, journal)),
    ...(await grantsWrong(db, vendorId, journal)),
    ...(await creditsWrong(db, vendorId, journal)),
    ...(await changesWrong(db, vendorId, journal)),
    ...(await gatesWrong(db, vendorId, journal)),
  ];
}

const eventsOf = (db: Database, vendorId: string): Promise<EventRow[]> =>
  db.query<EventRow>(
    `select id, customer_id, contract_id, period_idx, feature_slug, units::text as units, timestamp, is_absolute,
       discarded_at is not null as discarded, seq::text as seq from usage_event where vendor_id = $1 order by timestamp, seq`,
    [vendorId],
  );

function eventsWrong(rows: readonly EventRow[], { events }: Journal): string[] {
  const known = new Map(rows.map((row) => [row.id, row]));
  const lost = [...events.values()].filter(({ id }) => !known.has(id)).map(({ id }) => `the accepted event ${id} is gone`);
  const foreign = rows.filter(({ id }) => !events.has(id)).map(({ id }) => `the event ${id} was never accepted`);
  const altered = [...events.values()].flatMap((event) => {
    const row = known.get(event.id);
    return row === undefined || isSame(event, row)
      ? []
      : [`the event ${event.id} was told ${JSON.stringify(event)}, kept ${JSON.stringify(row)}`];
  });
  return [...lost, ...foreign, ...altered];
}

const isSame = (shown: ReportedEvent, row: EventRow): boolean =>
  shown.customer === row.customer_id &&
  shown.slug === row.feature_slug &&
  shown.units === Number(row.units) &&
  shown.absolute === row.is_absolute &&
  shown.discarded === row.discarded &&
  (shown.at === null || shown.at === row.timestamp);

/**
 * Closed periods are billed their events' units at the plan's price; where a change divided the billing period, from
 * the count at which their line says they began. What goes on in another contract is billed there. A correction that
 * waits for its invoice is left out; one for less gives back at most what credit notes have left.
 */
async function usageWrong(db: Database, vendorId: string, events: readonly EventRow[]): Promise<string[]> {
  const byPeriod = Map.groupBy(events, ({ contract_id, period_idx }) => `${contract_id} ${period_idx}`);
  const periods = await db.query<PeriodRow>(
    `select p.contract_id, p.idx, p.status, c.terms ->> 'slug' as plan, p.goes_on, p.follows_contract_id, p.follows_idx,
       (select coalesce(sum(i.subtotal), 0)::text from invoice_item i
         where i.contract_id = p.contract_id and i.period_idx = p.idx and i.kind in ('usage', 'correction') and not i.voided) as billed,
       (select coalesce(sum(n.total_excluding_tax), 0)::text from invoice_item i join credit_note_item n on n.invoice_item_id = i.id
         where i.contract_id = p.contract_id and i.period_idx = p.idx and i.kind in ('usage', 'correction') and not i.voided) as noted,
       (select i.derivation -> 'began' ->> 'units' from invoice_item i
         where i.contract_id = p.contract_id and i.period_idx = p.idx and i.kind = 'usage' order by i.id limit 1) as began,
       exists (select 1 from invoice_item i where i.contract_id = p.contract_id and i.period_idx = p.idx and i.derivation ->> 'soFar' = 'true') as in_parts,
       exists (select 1 from usage_correction k where k.contract_id = p.contract_id and k.period_idx = p.idx and k.settled_at is null)
         or exists (select 1 from invoice_item i where i.contract_id = p.contract_id and i.period_idx = p.idx and i.voided) as waiting
     from usage_period p join contract c on c.id = p.contract_id where c.vendor_id = $1`,
    [vendorId],
  );
  const known = new Map(periods.map((period) => [`${period.contract_id} ${period.idx}`, period]));
  return periods.flatMap((period) => {
    const { contract_id, idx, status, plan, began, goes_on } = period;
    const slug = METERED[plan];
    if (slug === undefined) return [];
    const { billed, noted, inParts, waiting } = sumsOf(period, slug, known);
    if (waiting) return [];
    const base = Number(began ?? 0);
    const own = eventsOfSum(period, slug, known, byPeriod);
    const count = countFrom(base, own);
    const isBilled = status === 'closed' && idx > 0 && !goes_on.includes(`feature:${slug}`);
    // a part may have more than is used in the end, since events are taken back
    if (!isBilled && inParts) return [];
    const used = isBilled ? usageCents(plan, count) - usageCents(plan, base) : 0;
    const cents = Math.max(used, Math.round(Number(noted) * 100));
    return Math.round(Number(billed) * 100) === cents
      ? []
      : [
          `period ${idx} of ${contract_id} (${plan}, ${status}) goes from ${base} to ${count} units, ${used} cents, ${noted} was credited, and ${billed} billed`,
        ];
  });
}

interface Sums {
  billed: number;
  noted: number;
  inParts: boolean;
  waiting: boolean;
}

/** What was billed of a period and of those before it that go on in it. */
function sumsOf(period: PeriodRow, slug: string, known: ReadonlyMap<string, PeriodRow>): Sums {
  const { in_parts: inParts, waiting } = period;
  const own = { billed: Number(period.billed), noted: Number(period.noted), inParts, waiting };
  const before = known.get(`${period.follows_contract_id} ${period.follows_idx}`);
  if (!before?.goes_on.includes(`feature:${slug}`)) return own;
  const sums = sumsOf(before, slug, known);
  return {
    billed: own.billed + sums.billed,
    noted: own.noted + sums.noted,
    inParts: own.inParts || sums.inParts,
    waiting: own.waiting || sums.waiting,
  };
}

/** Events of a period and of those before it that go on in it. */
function eventsOfSum(
  period: PeriodRow,
  slug: string,
  known: ReadonlyMap<string, PeriodRow>,
  byPeriod: ReadonlyMap<string, readonly EventRow[]>,
): EventRow[] {
  const own = (byPeriod.get(`${period.contract_id} ${period.idx}`) ?? []).filter(({ feature_slug }) => feature_slug === slug);
  const before = known.get(`${period.follows_contract_id} ${period.follows_idx}`);
  return before?.goes_on.includes(`feature:${slug}`) ? [...eventsOfSum(before, slug, known, byPeriod), ...own] : own;
}

/**
 * Units of the billing period: a marker means its units for all of it, and gives nothing of what was counted before
 * back.
 */
function countFrom(base: number, events: readonly EventRow[]): number {
  const counted = events.filter(({ discarded }) => !discarded);
  const marker = counted.filter(({ is_absolute }) => is_absolute).at(-1);
  const start = marker === undefined ? base : Math.max(base, Number(marker.units));
  return counted
    .filter(({ is_absolute, timestamp }) => !is_absolute && (marker === undefined || timestamp >= marker.timestamp))
    .reduce((units, event) => units + Number(event.units), start);
}

async function chargesWrong(db: Database, vendorId: string, { charges }: Journal): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from invoice_item where vendor_id = $1 and kind = 'on_demand' and credit_of is null`,
    [vendorId],
  );
  const written = rows.map(({ id }) => id).sort();
  const answered = [...charges].sort();
  return JSON.stringify(written) === JSON.stringify(answered) ? [] : [`on-demand lines ${written}, but ${answered} were answered`];
}

/**
 * Each grant is there once with its amount, of which credit notes lower what was sold and nobody has paid; it has paid
 * nothing that came before its life, and nothing of another currency.
 */
async function creditsWrong(db: Database, vendorId: string, { credits, bought }: Journal): Promise<string[]> {
  const rows = await db.query<{ id: string; amount: string; lowered: boolean; astray: string; ofPlan: boolean }>(
    `select g.id, g.amount::text as amount, g.invoice_id is not null and g.paid_at is null as lowered,
       count(*) filter (where m.kind = 'used' and (i.currency <> g.currency or i.customer_id <> g.customer_id or i.date < least(g.created, g.effective_at)))::text as astray,
       g.contract_id is not null as "ofPlan"
     from credit_grant g left join credit_movement m on m.grant_id = g.id left join invoice i on i.id = m.invoice_id
     where g.vendor_id = $1 group by g.id`,
    [vendorId],
  );
  const known = new Map(rows.map(({ id, amount }) => [id, Math.round(Number(amount) * 100)]));
  const answered = new Map([...credits, ...bought]);
  const lowered = new Set(rows.filter((row) => row.lowered).map(({ id }) => id));
  const lost = [...answered]
    .filter(([id, cents]) => (lowered.has(id) ? (known.get(id) ?? 0) > cents : known.get(id) !== cents))
    .map(([id, cents]) => `the grant ${id} of ${cents} has ${known.get(id)}`);
  const foreign = rows.filter(({ id, ofPlan }) => !ofPlan && !answered.has(id)).map(({ id }) => `the grant ${id} was never accepted`);
  const wrong = rows.filter(({ astray }) => astray !== '0').map((row) => `a grant paid what it doesn't cover: ${JSON.stringify(row)}`);
  return [...lost, ...foreign, ...wrong];
}

async function grantsWrong(db: Database, vendorId: string, { grants }: Journal): Promise<string[]> {
  const rows = await db.query<{ customer_id: string; granted: string }>(
    `select w.customer_id, sum(t.amount)::text as granted from wallet w join wallet_transaction t on t.wallet_id = w.id
     where w.vendor_id = $1 and t.kind = 'grant' group by w.customer_id`,
    [vendorId],
  );
  const kept = new Map(rows.map(({ customer_id, granted }) => [customer_id, Math.round(Number(granted) * 100)]));
  const people = new Set([...kept.keys(), ...grants.keys()]);
  return [...people]
    .filter((id) => (kept.get(id) ?? 0) !== (grants.get(id) ?? 0))
    .map((id) => `${id} was granted ${grants.get(id) ?? 0} cents, the wallet says ${kept.get(id) ?? 0}`);
}

/** Each answered change made its contract; an answered change is the only way a contract gets a successor. */
async function changesWrong(db: Database, vendorId: string, { changes }: Journal): Promise<string[]> {
  const rows = await db.query<{ id: string; predecessor_id: string }>(
    'select id, predecessor_id from contract where vendor_id = $1 and predecessor_id is not null',
    [vendorId],
  );
  const made = new Map(rows.map((row) => [row.id, row.predecessor_id]));
  return changes.filter(({ to }) => !made.has(to)).map(({ from, to }) => `the change of ${from} into ${to} is gone`);
}

/** What was to be made once it is paid is a contract, or its gate has ended: it never simply is gone. */
async function gatesWrong(db: Database, vendorId: string, { gates }: Journal): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from contract where vendor_id = $1
     union select contract_id from payment_gate where vendor_id = $1 and status not in ('waiting', 'succeeded')`,
    [vendorId],
  );
  const known = new Set(rows.map(({ id }) => id));
  return gates.filter((id) => !known.has(id)).map((id) => `what waited for its payment as ${id} is gone`);
}
