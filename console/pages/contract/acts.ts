import type { Contract } from '../../../billing/contract/types.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { section } from '../../../portal/parts/section.ts';
import type { ContractView } from '../../../services/console/contract.ts';
import type { Visit } from '../../http/visit.ts';
import type { ConsoleKey } from '../../messages/pages.ts';
import { contractAddress } from '../links.ts';

type Act = 'resume' | 'change' | 'cancel' | 'cancel_undo' | 'change_undo' | 'take_back';

const TEXTS: Readonly<Record<Act, ConsoleKey>> = {
  resume: 'act.resume',
  change: 'sale.change',
  cancel: 'act.cancel',
  cancel_undo: 'act.undo',
  change_undo: 'act.change_undo',
  take_back: 'act.take_back',
};

/** What may be done with a contract now; a key that only reads gets no buttons. */
export function actsSection({ t, visitor }: Visit, { detail: { contract } }: ContractView): Html | null {
  const acts = visitor.scope === 'full' ? actsOf(contract) : [];
  if (acts.length === 0) return null;
  const link = (act: Act): Html => html`<a class="button" href="${contractAddress(contract.id)}/${act}">${t(TEXTS[act])}</a>`;
  return section('acts', t('act.title'), html`<div class="actions">${acts.map(link)}</div>`);
}

/**
 * The acts that a contract takes now. A contract that waits for a change takes none: they belong to its predecessor.
 */
function actsOf({ id, status, parkedReason, gate, isSuccessor, cancellation, pendingChange }: Contract): Act[] {
  if (gate?.contractId === id) return ['take_back'];
  const resume: Act[] = parkedReason === null ? [] : ['resume'];
  if (status === 'moved' || status === 'canceled' || (isSuccessor && status === 'scheduled')) return resume;
  const undo: Act[] = pendingChange === null && gate === null ? [] : ['change_undo'];
  return [...resume, 'change', ...undo, cancellation === null ? 'cancel' : 'cancel_undo'];
}
