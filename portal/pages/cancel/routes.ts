import { planName } from '../../../billing/contract/period/sources.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { type CancelOption, cancelByCustomer, cancelOptions, estimateByCustomer } from '../../../services/portal/cancel.ts';
import { type OwnContract, readOwnContract } from '../../../services/portal/own-contract.ts';
import type { Form } from '../../http/form.ts';
import { goTo, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet, onPost } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress, onOwnContract, readOnlyPage } from '../change/own.ts';
import { cancellationNotes, MOST_WORDS } from './reason.ts';
import { type CancelParts, cancelContent } from './view.ts';

/** Pages that show what a cancellation means, and cancel. */
export const cancelPages = [
  onGet(
    '/contract/:id/cancel',
    onOwnContract('/cancel', (visit, own) => cancelPage(visit, own)),
  ),
  onPost('/contract/:id/cancel', cancel),
];

type Wrong = Pick<CancelParts, 'sent' | 'errors' | 'refused'> & { status: number };
const NOTHING_WRONG: Wrong = { sent: new Map(), errors: new Map(), refused: null, status: 200 };

async function cancelPage(visit: Visit, own: OwnContract, { status, ...wrong }: Wrong = NOTHING_WRONG): Promise<PortalResponse> {
  const { contract } = own.snapshot;
  const options = contract.cancellation === null ? cancelOptions(own) : [];
  const [first] = options;
  const estimate = first === undefined ? null : await estimateByCustomer(visit.db, visit.visitor, contract.id, first.when);
  const plan = planName(contract.terms);
  return showPage({
    title: visit.t('cancel.title', { plan }),
    content: cancelContent(visit, { own, options, estimate, ...wrong }),
    status,
    narrow: true,
  });
}

async function cancel(visit: Visit, form: Form): Promise<PortalResponse> {
  const found = await readOwnContract(visit.db, visit.visitor, visit.param('id'));
  if (found === null) return noSuchPage;
  if (found.type === 'elsewhere') return goTo(contractAddress(found.contractId), { key: 'change.changed_elsewhere' });
  const { own } = found;
  const { contract } = own.snapshot;
  if (own.readOnly !== null) return readOnlyPage(visit, own, own.readOnly, 409);
  if (contract.cancellation !== null) return goTo(contractAddress(contract.id), { key: 'cancel.canceled_already' });
  const sent = new Map(['when', 'reason', 'words'].map((name) => [name, form.text(name)]));
  const errors = errorsOf(visit, form, cancelOptions(own));
  if (errors.size > 0) return cancelPage(visit, own, { sent, errors, refused: null, status: 422 });
  try {
    return await carryOut(visit, own, form);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'estimate_outdated') throw error;
    // the period may have begun after the contract was read
    const again = await readOwnContract(visit.db, visit.visitor, contract.id);
    const wrong = { sent, errors: new Map(), refused: visit.t('cancel.date_moved'), status: 409 };
    return cancelPage(visit, again?.type === 'own' ? again.own : own, wrong);
  }
}

function errorsOf({ t, format }: Visit, form: Form, options: readonly CancelOption[]): Map<string, string> {
  const errors = new Map<string, string>();
  if (!options.some(({ when }) => when === form.text('when'))) errors.set('when', t('cancel.choose_time'));
  const isTooLong = form.text('words').length > MOST_WORDS;
  if (isTooLong) errors.set('words', t('cancel.words_too_long', { most: format.number(String(MOST_WORDS)) }));
  return errors;
}

async function carryOut(visit: Visit, own: OwnContract, form: Form): Promise<PortalResponse> {
  const { contract } = own.snapshot;
  const when = form.text('when') === 'now' ? 'now' : 'end_of_cycle';
  const until = when === 'now' ? null : Number(form.text('until'));
  await cancelByCustomer(visit.db, visit, contract.id, { when, until, notes: cancellationNotes(form) });
  const plan = planName(contract.terms);
  if (until === null) return goTo(contractAddress(contract.id), { key: 'cancel.done_now', values: { plan } });
  return goTo(contractAddress(contract.id), { key: 'cancel.done_later', values: { plan, at: visit.format.moment(until) } });
}
