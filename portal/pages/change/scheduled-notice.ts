import type { Instant } from '../../../billing/calendar/instant.ts';
import { earlier } from '../../../billing/contract/period/known-end.ts';
import { planName } from '../../../billing/contract/period/sources.ts';
import { cancellationAt, expirationAt, isFrozen, whenAt } from '../../../billing/contract/period/time.ts';
import type { Contract, ContractSnapshot } from '../../../billing/contract/types.ts';
import type { OwnContract } from '../../../services/portal/own-contract.ts';
import { unitChoices } from '../../../services/portal/unit-choices.ts';
import type { Visit } from '../../http/visit.ts';
import { actForm } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';
import { contractAddress } from './own.ts';

/** A contract with what waits for it. */
interface Waiting {
  snapshot: Pick<ContractSnapshot, 'contract' | 'successor'> & { customer: Pick<ContractSnapshot['customer'], 'pauses'> };
  readOnly: OwnContract['readOnly'];
}

/** What is planned for a contract, a change and an end, each with the button that takes it back; null without any. */
export function scheduledNotice(visit: Visit, { snapshot, readOnly }: Waiting): Html | null {
  const { contract, successor, customer } = snapshot;
  const { pendingChange } = contract;
  const plan = planName(contract.terms);
  const mayAct = readOnly === null;
  const changes = pendingChange && whenAt(contract, pendingChange.when, customer.pauses);
  const ends = cancellationAt(contract, customer.pauses);
  if (changes === null && ends === null) return isFrozen(customer.pauses) ? withoutDay(visit, contract) : null;
  const last = earlier(ends, expirationAt(contract, customer.pauses));
  return html`${
    changes === null
      ? null
      : notice(visit, 'change.waits_title', changeText(visit, { contract, successor }, changes, last), {
          button: mayAct ? visit.t('change.undo_change', { plan }) : null,
          action: contractAddress(contract.id, '/change_undo'),
        })
  }${
    ends === null
      ? null
      : notice(visit, 'change.ends_title', visit.t.html('change.ends_text', { at: visit.format.moment(ends) }), {
          button: mayAct ? visit.t('change.undo_cancel') : null,
          action: contractAddress(contract.id, '/cancel_undo'),
        })
  }`;
}

/** A freeze without a known end moves what is planned: its day is known once the customer is active again. */
function withoutDay(visit: Visit, { pendingChange, cancellation }: Contract): Html | null {
  const without = { button: null, action: '' };
  const change = pendingChange && notice(visit, 'change.waits_title', html`${visit.t('change.day_unknown')}`, without);
  const end = cancellation && notice(visit, 'change.ends_title', html`${visit.t('change.day_unknown')}`, without);
  return html`${change}${end}`;
}

/** Another plan, or other units of the same one; that it doesn't happen where the contract ends first, or then. */
function changeText(
  visit: Visit,
  { contract, successor }: Pick<Waiting['snapshot'], 'contract' | 'successor'>,
  changes: Instant,
  ends: Instant | null,
): Html {
  if (ends !== null && ends <= changes) return html`${visit.t('change.ends_before', { at: visit.format.moment(ends) })}`;
  const at = visit.format.moment(changes);
  const terms = successor?.terms ?? contract.terms;
  const before = new Map(unitChoices(contract.terms, 'signed').map(({ key, units }) => [key, units]));
  const changed = unitChoices(terms, 'signed').filter(({ key, units }) => before.get(key) !== units);
  if (contract.pendingChange?.kind === 'new_plan' || changed.length === 0)
    return visit.t.html('change.waits_plan', { at, plan: planName(terms) });
  const units = changed.map((unit) => visit.t('lines.units', { count: visit.format.number(unit.units), name: unit.name })).join(', ');
  return visit.t.html('change.waits_units', { at, units });
}

function notice(
  visit: Visit,
  title: 'change.waits_title' | 'change.ends_title',
  text: Html,
  { button, action }: { button: string | null; action: string },
): Html {
  return html`<div class="note wait" role="status"><p><strong>${visit.t(title)}</strong></p><p>${text}</p>
${button === null ? null : actForm({ action, csrf: visit.csrf, content: html`<div class="actions"><button type="submit" class="small">${button}</button></div>` })}</div>
`;
}
