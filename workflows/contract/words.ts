import type { Instant } from '../../billing/calendar/instant.ts';
import type { DueItem, Schedule } from '../messages.ts';

/** Instants as operators read them: the date, and the time where it isn't midnight. */
export function dateText(at: Instant): string {
  const text = new Date(at).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, text.endsWith('.000Z') ? 19 : 23)}Z`;
}

/** What a due item means, in words. */
function dueText({ kind, detail }: DueItem): string {
  switch (kind) {
    case 'usage_closing':
      return detail.idx === 0 ? 'usage of the free trial closes' : `usage of period ${detail.idx} closes`;
    case 'cancellation':
      return 'the cancellation takes effect';
    case 'expiration':
      return 'the contract expires';
    case 'scheduled_change':
      return `the change to ${detail.successorId ?? 'the next contract'} takes effect`;
    case 'trial_end':
      return 'the free trial ends';
    case 'activation':
      return 'the contract is activated';
    case 'boundary':
      return `period ${detail.idx} begins`;
    case 'custom_charge':
      return `a charge by the ${detail.trigger} is due`;
  }
}

/** What the contract waits for, in one line. */
export function waitingText(schedule: Schedule): string {
  if (schedule.parked !== null) return `parked: ${schedule.parked}`;
  if (schedule.over) return 'over';
  const [next] = schedule.due;
  if (next === undefined) return schedule.frozen ? 'the customer is frozen' : 'nothing is due; waits to be told';
  const together = schedule.due.filter(({ at }) => at === next.at).map(dueText);
  const { wakeAt } = schedule;
  const among = wakeAt != null && wakeAt > next.at ? ` (carried with many others; this workflow looks at ${dateText(wakeAt)})` : '';
  return `${dateText(next.at)}: ${together.join(', ')}${among}`;
}

/** The UI cuts off the last line of what it shows and needs a blank line before a list: an empty paragraph is there to be cut. */
const CUT_OFF = '\n\n\u00a0';

/** The current details an operator reads in the Temporal UI, under User Metadata. */
export function detailsText(schedule: Schedule): string {
  const period = schedule.periodIdx === null ? '' : `, period ${schedule.periodIdx}`;
  const clock = schedule.clockId === null ? '' : `\n\nLives on the test clock \`${schedule.clockId}\`.`;
  const next = schedule.due.map((item) => `- ${dateText(item.at)}: ${dueText(item)}`).join('\n');
  const heading = `Plan **${schedule.planSlug}** (\`${schedule.planId}\`) of \`${schedule.customerId}\`: **${schedule.status}**${period}`;
  const frozen = schedule.frozen ? '\n\nThe customer is frozen: nothing begins, nothing is collected.' : '';
  const parked = schedule.parked === null ? '' : `\n\n**Parked:** ${schedule.parked}\n\nMend the cause, then resume it.`;
  const chain = [link('Followed', schedule.predecessorId), link('Goes on as', schedule.successorId)].join('');
  return `${heading}${parked}${frozen}${chain}\n\n${next === '' ? 'Nothing is due.' : `What happens next:\n\n${next}`}${clock}${CUT_OFF}`;
}

/** Another contract's workflow, which has its contract's id; histories of earlier code say nothing of it. */
function link(what: string, contractId: string | null | undefined): string {
  return contractId == null ? '' : `\n\n${what} \`${contractId}\`.`;
}
