import { figuresOf } from '../../../billing/contract/charge/figures.ts';
import { activationOf, expirationAt, periodBounds, trialEndOf } from '../../../billing/contract/period/time.ts';
import type { PortalContract } from '../../../services/portal/contracts.ts';
import type { NextCharge } from '../../../services/portal/next-charges.ts';
import type { Visit } from '../../http/visit.ts';
import type { Reader } from '../../messages/language.ts';
import { type Html, html } from '../../parts/html.ts';
import { badge } from '../../parts/note.ts';
import { scheduledNotice } from '../change/scheduled-notice.ts';

/** How a contract stands, in a word. */
export function statusBadge({ t, customer }: Visit, { contract: { status, start } }: PortalContract): Html {
  const isLive = status === 'active' || status === 'pending' || status === 'scheduled';
  if (isLive && customer.status === 'inactive') return badge('wait', t('contract.status_paused'));
  const isTrial = status === 'active' && start === null;
  return badge(status === 'active' ? 'good' : 'wait', t(isTrial ? 'contract.status_trial' : `contract.status_${status}`));
}

/** "USD 29.00 a month": what a cycle costs without discount, usage and tax. */
export function cycleWords({ t, format }: Reader, { contract, pauses }: PortalContract): string {
  const { cycle, currency } = contract.terms;
  return t('prices.per_cycle', { price: format.money(figuresOf(contract, pauses).amount, currency), cycle });
}

/** The instants of a contract that its customer wants to know, and the next charge. */
export function facts(reader: Reader, { contract, pauses, change }: PortalContract, charge: NextCharge): Html {
  const { t, format } = reader;
  const { status, cancellation } = contract;
  const isTrial = status === 'active' && contract.start === null;
  const fact = (term: string, at: number | null): Html | null => (at === null ? null : html`<dt>${term}</dt><dd>${format.moment(at)}</dd>`);
  const expires = cancellation === null && change === null ? expirationAt(contract, pauses) : null;
  return html`<dl>
${status === 'canceled' ? null : html`<dt>${t('contract.next_charge')}</dt><dd>${chargeWords(reader, charge)}</dd>`}
${fact(t('contract.begins'), status === 'scheduled' ? activationOf(contract, pauses) : null)}
${fact(t('contract.free_until'), isTrial ? trialEndOf(contract, pauses) : null)}
${status === 'canceled' ? null : periodFact(reader, contract, pauses)}
${fact(t('contract.ends'), status === 'canceled' ? null : expires)}
${fact(t('contract.ended'), status === 'canceled' ? contract.ended : null)}
</dl>`;
}

function chargeWords({ t, format }: Reader, charge: NextCharge): Html {
  if (charge === 'late') return html`${t('contract.charge_late')}`;
  if (charge === 'far') return html`${t('contract.charge_far')}`;
  if (charge === null) return html`${t('contract.no_charge')}`;
  const { currency, at, dueDate } = charge;
  const [total, day] = [format.money(charge.total, currency), format.moment(at)];
  if (dueDate <= at) return t.html('contract.next_charge_at', { total, day });
  return t.html('contract.next_charge_due', { total, day, due: format.day(dueDate) });
}

type Placed = Pick<PortalContract, 'contract' | 'pauses'>;

function periodFact({ t, format }: Reader, contract: Placed['contract'], pauses: Placed['pauses']): Html | null {
  if (contract.currentIdx === null || contract.start === null) return null;
  const { start, end } = periodBounds(contract, contract.currentIdx, pauses);
  const span = end === null ? t('contract.since', { start: format.moment(start) }) : `${format.moment(start)} – ${format.moment(end)}`;
  return html`<dt>${t('contract.current_period')}</dt><dd>${span}</dd>`;
}

/** A change or an end that waits, with the button that undoes it. */
export function waits(visit: Visit, { contract, change, pauses }: PortalContract): Html | null {
  if (contract.status === 'canceled') return null;
  const { id, status } = visit.customer;
  const snapshot = { contract, successor: change?.to ?? null, customer: { id, status, pauses } };
  return scheduledNotice(visit, { snapshot, readOnly: status === 'inactive' ? 'frozen' : null });
}
