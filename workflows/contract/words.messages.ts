import type { Instant } from '../../billing/calendar/instant.ts';
import type { ChainContract, DoneItem, Schedule } from '../messages.ts';
import { freezeWords } from './freeze.ts';
import { wordsOf } from './lifecycle.ts';
import { dunnedWords } from './payment.ts';

/** Instants as operators read them: the date, and the time where it isn't midnight. */
export function dateText(at: Instant): string {
  const text = new Date(at).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, text.endsWith('.000Z') ? 19 : 23)}Z`;
}

/** What the chain waits for, in one line. */
export function waitingText(schedule: Schedule): string {
  const parked = schedule.contracts.find((one) => one.parked !== null);
  const [next] = schedule.due;
  if (next === undefined) return quietText(schedule, parked);
  const together = schedule.due.filter(({ at }) => at === next.at).map(wordsOf);
  const { wakeAt } = schedule;
  const among = wakeAt !== null && wakeAt > next.at ? ` (with many others; this workflow looks at ${dateText(wakeAt)})` : '';
  return `${dateText(next.at)}: ${together.join(', ')}${among}`;
}

const resumeText = ({ resumesAt }: Schedule): string | null => (resumesAt == null ? null : dateText(resumesAt));

/** Temporal takes 400 bytes with their wrapping. */
const LONGEST_SUMMARY = 300;

/** The same as the summary of its timer: many invoices due together would make it too long. */
export function summaryText(schedule: Schedule): string {
  const text = waitingText(schedule);
  return text.length <= LONGEST_SUMMARY ? text : `${text.slice(0, LONGEST_SUMMARY - 4)} ...`;
}

function quietText(schedule: Schedule, parked: ChainContract | undefined): string {
  if (parked !== undefined) return `${parked.contractId} is parked and waits to be resumed`;
  const byCall = callText(schedule.contracts);
  if (schedule.hasEnded) return `everything has ended${byCall === null ? '' : `; ${byCall}`}`;
  const until = resumeText(schedule);
  if (!schedule.isFrozen) return `nothing is due; ${byCall ?? 'waits for a change'}`;
  return `the customer is frozen${until === null ? '' : ` until ${until}`}; waits for the activation`;
}

/** What a caller has to do, where nothing happens by itself; null: nothing. */
function callText(contracts: readonly ChainContract[]): string | null {
  const pending = contracts.find(({ status }) => status === 'pending');
  if (pending !== undefined) return `${pending.contractId} waits to be activated by a call`;
  const unclosed = contracts.find(({ unclosedIdx }) => unclosedIdx != null);
  if (unclosed !== undefined) return `usage of ${unclosed.contractId} waits to be closed by a call`;
  const drafted = contracts.find(({ draftId }) => draftId != null);
  if (drafted !== undefined) return `invoice ${drafted.draftId} waits to be validated by a call`;
  const uninvoiced = contracts.find(({ isUninvoiced }) => isUninvoiced === true);
  return uninvoiced === undefined ? null : `charges of ${uninvoiced.contractId} wait for an invoice that a call makes`;
}

/**
 * The UI cuts off the last line of what it shows and needs a blank line before a list: an empty paragraph is there to
 * be cut.
 */
export const CUT_OFF = '\n\n\u00a0';

/** The current details an operator reads in the Temporal UI, under User Metadata. */
export function detailsText(schedule: Schedule): string {
  const contracts = schedule.contracts.map((one) => `- ${contractText(one)}`).join('\n');
  const clock = schedule.clockId === null ? '' : `\n\nOn the test clock \`${schedule.clockId}\`, which does what is due.`;
  const next = schedule.due.map((item) => `- ${dateText(item.at)}: ${wordsOf(item)}`).join('\n');
  const parked = schedule.contracts.some((one) => one.parked !== null)
    ? '\n\nRemove the cause of what is parked, then resume the contract.'
    : '';
  const dunned = (schedule.dunned ?? []).map((one) => `- ${dunnedWords(one)}`).join('\n');
  const done = schedule.done.map((item) => `- ${doneText(item)}`).join('\n');
  return (
    `Contracts of \`${schedule.customerId}\`:\n\n${contracts}${parked}${freezeWords(schedule, resumeText(schedule))}` +
    `\n\n${next === '' ? nothingText(schedule) : `What happens next:\n\n${next}`}${dunned === '' ? '' : `\n\nUnpaid:\n\n${dunned}`}${done === '' ? '' : `\n\nDone lately:\n\n${done}`}` +
    `\n\nCancel has no effect on this workflow: call the API's cancel. After Terminate, \`npm run reconcile\` starts it again.${clock}${CUT_OFF}`
  );
}

/** A sentence for a chain with nothing due; of what is parked or frozen the details say more elsewhere. */
function nothingText(schedule: Schedule): string {
  if (schedule.isFrozen || schedule.contracts.some(({ parked }) => parked !== null)) return 'Nothing is due.';
  const text = quietText(schedule, undefined);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function contractText(one: ChainContract): string {
  const { contractId, planSlug, planId, status, periodIdx, parked, hasThreshold } = one;
  const period = periodIdx === null ? '' : `, period ${periodIdx}`;
  const early = hasThreshold === true ? ', usage is invoiced each time it comes to the invoice threshold' : '';
  return `\`${contractId}\`, plan **${planSlug}** (\`${planId}\`): **${status}**${period}${early}${byCallOf(one)}${parked === null ? '' : `, **parked**: ${parked}`}`;
}

/** What of a contract waits for a call: usage, drafts, and charges that are on no invoice. */
function byCallOf({ unclosedIdx, draftId, isUninvoiced }: ChainContract): string {
  const first = unclosedIdx === 0 ? 'the free trial' : `period ${unclosedIdx}`;
  const usage = unclosedIdx == null ? '' : `, usage waits to be closed by a call, first that of ${first}`;
  const drafts = draftId == null ? '' : `, invoice \`${draftId}\` waits to be validated by a call`;
  const charges = isUninvoiced === true ? ', charges wait for an invoice that a call makes' : '';
  return `${usage}${drafts}${charges}`;
}

/** Actors in words for operators, where these differ. */
const BY: Readonly<Record<string, string>> = { bill_run: 'bill run' };

export const doneText = ({ at, what, object, by }: DoneItem): string => `${dateText(at)}: ${what} of \`${object}\`, by ${BY[by] ?? by}`;

/**
 * The details that a workflow is started with: what an operator reads while it has not run yet, because nothing has
 * been due.
 */
export const startText = (schedule: Schedule, at: Instant): string =>
  `As of ${dateText(at)}, when this run was asked for. What it has learned since stands in its current details.\n\n${detailsText(schedule)}`;
