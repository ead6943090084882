import { iso } from '../billing/calendar/instant.ts';
import { howMany } from '../billing/how-many.ts';
import type { Database } from '../db/connect.ts';
import { wrongCarriedCounts } from '../db/health/carried-counts.ts';
import {
  advancingClocks,
  attemptsNobodyCanTell,
  attemptsThatNeedAWorkflow,
  chainsThatNeedAWorkflow,
  methodsToDetach,
  parkedContracts,
  pendingRefunds,
  runningImports,
  runningPlanMoves,
  troubledClocks,
  unsentMessages,
  waitingForMessage,
} from '../db/health/contracts.ts';
import { troubledEmails } from '../db/health/emails.ts';
import { wrongListCounts } from '../db/health/list-counts.ts';
import { FINDINGS_READ, MOST_FINDINGS } from '../db/health/most-findings.ts';
import { wrongUsageTotals } from '../db/health/usage-totals.ts';
import { endpointsThatNeedAWorkflow, lateEndpoints } from '../db/health/webhooks.ts';
import { pendingMigrations } from '../db/migrate.ts';
import { overdueAgenda } from '../db/sql/agenda/read-overdue.ts';
import { checkLedger } from '../db/sql/ledger/check.ts';
import { monthsToMake } from '../db/sql/usage/months-to-make.ts';
import { monthsFrom } from '../db/usage/months-from.ts';
import { workflowIdOf } from '../temporal/message-kinds.ts';

/** One check of the installation; `findings` returns a line for each problem, and none when all is well. */
export type DoctorCheck = { asks: string; remedy: string; findings(): Promise<string[]> };

/** The first check, since the others need the tables. */
export const TABLES_ARE_THERE = 'all migrations are applied';

/** The relay sends within seconds, so an older message shows that it doesn't run. */
const MESSAGE_IS_OLD_AFTER_MS = 60_000;

/** Longer than the work at any one instant takes. */
const CLOCK_STANDS_AFTER_MINUTES = 5;

/** Longer than the first four pauses of the usual schedule. */
const ENDPOINT_IS_LATE_AFTER_MINUTES = 30;

/** Says which of some workflows don't run. */
type Missing = (workflowIds: readonly string[]) => Promise<string[]>;

export function doctorChecks(db: Database, missing: Missing): DoctorCheck[] {
  const without = (needed: WhatNeedsWorkflows) => withoutWorkflow(db, needed, missing);
  return [
    { asks: TABLES_ARE_THERE, remedy: 'npm run migrate', findings: () => pendingMigrations(db) },
    {
      asks: 'nothing on the agenda is overdue',
      remedy: 'see whether the worker runs; then npm run reconcile',
      findings: () => overdue(db),
    },
    {
      asks: 'each chain of contracts that needs a workflow has one',
      remedy: 'npm run reconcile',
      findings: async () => (await without(chainsThatNeedAWorkflow)).map(hasNone),
    },
    {
      asks: 'each test clock that was sent gets on',
      remedy: 'remove the reason, then send the clock again; npm run reconcile starts a workflow that is missing',
      findings: async () => clocks(db, await without(advancingClocks)),
    },
    {
      asks: 'each payment, refund and detachment under way has a workflow',
      remedy: 'npm run reconcile; ten minutes later the worker starts it by itself',
      findings: async () => (await without(paymentWorkflows)).map(hasNone),
    },
    {
      asks: 'each open payment has a provider that can tell its outcome',
      remedy: 'give the provider its keys of then; or look there, and where it has taken nothing: cli payment end PAYMENT --not-taken',
      findings: () => unknowable(db),
    },
    {
      asks: 'each move of a plan that runs has a workflow',
      remedy: 'npm run reconcile',
      findings: async () => (await without(runningPlanMoves)).map(hasNone),
    },
    {
      asks: 'each import that runs has a workflow',
      remedy: 'npm run reconcile',
      findings: async () => (await without(runningImports)).map(hasNone),
    },
    { asks: 'every message to a workflow was sent', remedy: 'see whether the worker runs', findings: () => messages(db) },
    {
      asks: 'no contract is parked',
      remedy: 'remove the reason, then POST /v1/c/contract/{contract_id}/resume',
      findings: () => parked(db),
    },
    {
      asks: 'every e-mail was taken by the mail server',
      remedy: 'see SMTP_URL and the customer’s addresses; POST /v1/c/invoice/{invoice_id}/send sends an invoice again',
      findings: () => emails(db),
    },
    {
      asks: 'each webhook endpoint has a workflow and gets its events',
      remedy: 'see its deliveries, and whether the worker runs; npm run reconcile starts a workflow that is missing',
      findings: async () => endpoints(db, await without(endpointsThatNeedAWorkflow)),
    },
    { asks: 'ledger, invoices, wallets, payments and numbers agree', remedy: KEPT_REMEDY, findings: () => ledger(db) },
    { asks: 'usage totals are the sums of their events', remedy: KEPT_REMEDY, findings: () => usageTotals(db) },
    { asks: 'counts of billing periods are what their parts come to', remedy: KEPT_REMEDY, findings: () => carriedCounts(db) },
    { asks: 'kept counts of lists are the numbers of their rows', remedy: KEPT_REMEDY, findings: () => listCounts(db) },
    {
      asks: 'usage events of this month and the next have their partitions',
      remedy: 'npm run migrate; see whether the worker runs',
      findings: async () => (await monthsToMake(db, monthsFrom(Date.now(), 1))).map(({ name }) => `${name} is missing`),
    },
  ];
}

const KEPT_REMEDY = 'a bug: keep the database as it is and report the ids';

/** A line for each of the first findings, and a last one where there are more. */
const named = <T>(found: readonly T[], lineOf: (one: T) => string): string[] => [
  ...found.slice(0, MOST_FINDINGS).map(lineOf),
  ...andMore(found),
];
const andMore = (found: readonly unknown[]): string[] =>
  found.length > MOST_FINDINGS ? [`and more: these are the first ${MOST_FINDINGS}`] : [];

async function overdue(db: Database): Promise<string[]> {
  return named(
    await overdueAgenda(db, FINDINGS_READ),
    ({ kind, subject, contractId, dueAt }) => `${kind} of ${contractId ?? subject} was due ${iso(dueAt)}`,
  );
}

type WhatNeedsWorkflows = (db: Database) => Promise<string[]>;
const hasNone = (id: string): string => `${id} has no running workflow`;

/**
 * What needs a workflow and has none. While Temporal is asked some begin and some end: what has ended needs none, and
 * what waits for its message gets one. A message that waits for long is a finding of its own.
 */
async function withoutWorkflow(db: Database, needed: WhatNeedsWorkflows, missing: Missing): Promise<string[]> {
  const first = await missing(await needed(db));
  if (first.length === 0) return [];
  const waiting = new Set(await waitingForMessage(db, first));
  const second = new Set(await missing(first.filter((id) => !waiting.has(id))));
  return second.size === 0 ? [] : (await needed(db)).filter((id) => second.has(id));
}

/** A clock without a workflow is listed once, with that reason alone. */
async function clocks(db: Database, missing: readonly string[]): Promise<string[]> {
  const without = new Set(missing);
  const found = await troubledClocks(db, CLOCK_STANDS_AFTER_MINUTES);
  const troubled = found.slice(0, MOST_FINDINGS).filter(({ id }) => !without.has(id));
  const lines = [
    ...missing.map((id) => [id, 'has no running workflow']),
    ...troubled.map(({ id, now, minutes, reason }) => [
      id,
      minutes === null ? `stopped at ${iso(now)}: ${reason}` : `has stood at ${iso(now)} for ${minutes} minutes`,
    ]),
  ];
  return [...lines.map((parts) => parts.join(' ')).sort(), ...andMore(found)];
}

async function unknowable(db: Database): Promise<string[]> {
  return named(
    await attemptsNobodyCanTell(db),
    ({ id, subject, reason, calledAt }) => `${id} of ${subject}: ${reason}, called ${iso(calledAt)}`,
  );
}

async function paymentWorkflows(db: Database): Promise<string[]> {
  const underWay = [
    ['payment', await attemptsThatNeedAWorkflow(db)],
    ['refund', await pendingRefunds(db)],
    ['detach', await methodsToDetach(db)],
  ] as const;
  return underWay.flatMap(([kind, ids]) => ids.map((id) => workflowIdOf(kind, id)));
}

async function messages(db: Database): Promise<string[]> {
  return named(
    await unsentMessages(db, MESSAGE_IS_OLD_AFTER_MS),
    ({ kind, workflowId, tries, failure }) =>
      `${kind} of ${workflowId}, tried ${howMany(tries, 'time')}${failure === null ? '' : `: ${failure}`}`,
  );
}

async function parked(db: Database): Promise<string[]> {
  return named(await parkedContracts(db), ({ id, reason }) => `${id}: ${reason}`);
}

async function emails(db: Database): Promise<string[]> {
  return named(await troubledEmails(db), ({ customerId, email, object, reason }) => `${email} of ${object} to ${customerId}: ${reason}`);
}

/** An endpoint without a workflow is listed once, with that reason alone. */
async function endpoints(db: Database, missing: readonly string[]): Promise<string[]> {
  const without = new Set(missing);
  const found = await lateEndpoints(db, ENDPOINT_IS_LATE_AFTER_MINUTES);
  const late = found.slice(0, MOST_FINDINGS).filter(({ id }) => !without.has(id));
  const lines = [...missing.map(hasNone), ...late.map(({ id, minutes }) => `${id} has waited for an event for ${minutes} minutes`)];
  return [...lines.sort(), ...andMore(found)];
}

async function ledger(db: Database): Promise<string[]> {
  const found = Map.groupBy(await checkLedger(db, null, FINDINGS_READ), ({ check }) => check);
  return [...found].flatMap(([check, problems]) =>
    named(problems, ({ subject, detail }) => `${subject}: not so that ${check} (${detail})`),
  );
}

async function usageTotals(db: Database): Promise<string[]> {
  const wrong = await wrongUsageTotals(db);
  return wrong.map(
    ({ contractId, idx, slug, kept, counted }) => `${slug} in period ${idx} of ${contractId}: ${kept}, its events come to ${counted}`,
  );
}

async function carriedCounts(db: Database): Promise<string[]> {
  return named(
    await wrongCarriedCounts(db),
    ({ contractId, idx, slug, kept, counted }) => `${slug} in period ${idx} of ${contractId}: ${kept}, its parts come to ${counted}`,
  );
}

async function listCounts(db: Database): Promise<string[]> {
  const found = Map.groupBy(await wrongListCounts(db), ({ list }) => list);
  return [...found].flatMap(([list, wrong]) =>
    named(wrong, ({ vendorId, part, kept, counted }) => `${list} ${part} of ${vendorId}: ${kept} are kept, there are ${counted}`),
  );
}
