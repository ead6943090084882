import type { CancelRequest } from '../../../billing/contract/change/cancel.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import { dec } from '../../../billing/money/decimal.ts';
import type { Form } from '../../../portal/http/form.ts';
import { hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { cancelAsShown, endsWithCycle, takeBackUnpaid } from '../../../services/console/cancel.ts';
import { ownedContract } from '../../../services/console/contract.ts';
import { estimateCancellation, type ForeseenCancellation } from '../../../services/contract/estimate-cancel.ts';
import { resumeContract } from '../../../services/contract/resume.ts';
import { undo } from '../../../services/contract/undo.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress, customerAddress } from '../links.ts';
import { isAmount } from './amount.ts';
import { confirmPage } from './confirm.ts';

/** What may be done with a contract. */
export const contractActs = [
  ...onAct('/contract/:id/resume', (visit) => ofContract(visit, askResume), resume, []),
  ...onAct('/contract/:id/cancel', (visit) => ofContract(visit, askCancel), cancel, ['when', 'credit', 'until', 'given_back', 'notes']),
  ...onAct(
    '/contract/:id/cancel_undo',
    (visit) => ofContract(visit, (own) => askUndo(own, 'cancel_undo')),
    (visit) => undoes(visit, 'cancel_undo'),
    [],
  ),
  ...onAct(
    '/contract/:id/change_undo',
    (visit) => ofContract(visit, (own) => askUndo(own, 'change_undo')),
    (visit) => undoes(visit, 'change_undo'),
    [],
  ),
  ...onAct('/contract/:id/take_back', (visit) => ofContract(visit, askTakeBack), takeBack, []),
];

async function ofContract(visit: Visit, ask: (visit: Visit, contract: Contract) => ConsoleResponse | Promise<ConsoleResponse>) {
  const contract = await ownedContract(visit.db.em(), visit.visitor.vendorId, visit.param('id'));
  return contract === null ? noSuchPage : ask(visit, contract);
}

const callOf = ({ visitor: { vendorId }, param }: Visit) => ({ vendorId, contractId: param('id') });
const upOf = ({ t, param }: Visit) => ({ to: contractAddress(param('id')), title: t('act.to_contract') });

function askResume(visit: Visit, { parkedReason }: Contract): ConsoleResponse {
  const { t } = visit;
  const effect = html`<p>${t('act.resume_text')}</p>${parkedReason === null ? null : html`<p class="soft">${parkedReason}</p>`}`;
  return confirmPage(visit, { title: t('act.resume'), up: upOf(visit), effect, button: t('act.resume') });
}

async function resume(visit: Visit, _: Form): Promise<ConsoleResponse> {
  await visit.db.transaction((tx) => resumeContract(tx, callOf(visit)), visit.asker);
  return goTo(contractAddress(visit.param('id')), { key: 'act.resume_done' });
}

/** What is canceled, and how, as the address or the form says it. */
function requestOf(text: (name: string) => string): CancelRequest {
  const when = text('when') === 'now' ? 'now' : 'end_of_cycle';
  return { when: { type: when }, credit: text('credit') === 'yes', notes: text('notes') || null };
}

/** The page asks when, shows what that comes to, and asks whether to do it: each choice is an address of its own. */
async function askCancel(visit: Visit, contract: Contract): Promise<ConsoleResponse> {
  const { t, query } = visit;
  const canWait = await endsWithCycle(visit.db, contract);
  const request = requestOf((name) => (name === 'when' && !canWait ? 'now' : query(name)));
  const estimate = await estimateCancellation(visit.db, callOf(visit), request);
  const { type } = request.when;
  const fields = html`${hiddenField('when', type)}${hiddenField('credit', request.credit ? 'yes' : '')}${hiddenField('until', String(estimate.at ?? ''))}${hiddenField('given_back', estimate.credit)}
${textField({ name: 'notes', label: t('act.notes'), hint: t('act.notes_hint'), value: '' })}`;
  const effect = html`${choices(visit, request, canWait)}${estimateWords(visit, contract, estimate)}`;
  const button = estimate.at === null ? null : t(`act.cancel_${type}`);
  return confirmPage(visit, { title: t('act.cancel'), up: upOf(visit), effect, fields: button === null ? null : fields, button });
}

function choices({ t, path }: Visit, { when, credit }: CancelRequest, canWait: boolean): Html {
  const link = (address: string, text: string, isCurrent: boolean): Html =>
    html`<li><a href="${path}${address}"${isCurrent ? html` aria-current="page"` : null}>${text}</a></li>`;
  const isNow = when.type === 'now';
  return html`<nav class="tabs" aria-label="${t('act.when')}"><ul>${canWait ? link('', t('act.when_end_of_cycle'), !isNow) : null}
${link('?when=now', t('act.when_now'), isNow && !credit)}${link('?when=now&credit=yes', t('act.when_now_credit'), isNow && credit)}</ul></nav>`;
}

function estimateWords(
  { t, format }: Visit,
  { terms: { currency }, configuration }: Contract,
  { at, invoices, credit, usage, total, creditsTakenBack }: ForeseenCancellation,
): Html {
  const money = (amount: string): string => format.money(amount, currency);
  const isByHand = configuration.usagePeriodClosingPolicy === 'manual';
  return html`<dl class="sums"><dt>${t('act.ends')}</dt><dd>${at === null ? t('act.not_at_all') : format.moment(at)}</dd>
<dt>${t('act.given_back')}</dt><dd>${money(credit)}</dd>
${dec(creditsTakenBack).isZero() ? null : html`<dt>${t('act.credits_taken_back')}</dt><dd>${money(creditsTakenBack)}</dd>`}
${dec(usage).isZero() ? null : html`<dt>${t(isByHand ? 'act.usage_by_hand' : 'act.usage_in_invoices')}</dt><dd>${money(usage)}</dd>`}
<dt class="total">${t('act.last_invoices', { count: invoices.length })}</dt><dd class="total">${money(total)}</dd></dl>`;
}

const INSTANT = /^\d{1,15}$/;

async function cancel(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const [until, givenBack] = [form.text('until'), form.text('given_back')];
  const request = requestOf(form.text);
  const isNow = request.when.type === 'now';
  if (!isAmount(givenBack) || !(isNow || INSTANT.test(until))) return { kind: 'fixed', page: 'form', status: 400 };
  await cancelAsShown(visit.db, visit.asker, callOf(visit), request, { until: isNow ? null : Number(until), givenBack });
  return goTo(contractAddress(visit.param('id')), { key: 'act.cancel_done' });
}

const UNDO = {
  cancel_undo: { title: 'act.undo', text: 'act.undo_text', done: 'act.undo_done' },
  change_undo: { title: 'act.change_undo', text: 'act.change_undo_text', done: 'act.change_undo_done' },
} as const;

function askUndo(visit: Visit, kind: keyof typeof UNDO): ConsoleResponse {
  const { t } = visit;
  const { title, text } = UNDO[kind];
  return confirmPage(visit, { title: t(title), up: upOf(visit), effect: html`<p>${t(text)}</p>`, button: t(title) });
}

async function undoes(visit: Visit, kind: keyof typeof UNDO): Promise<ConsoleResponse> {
  await visit.db.transaction((tx) => undo(tx, callOf(visit), kind), visit.asker);
  return goTo(contractAddress(visit.param('id')), { key: UNDO[kind].done });
}

/** A contract that awaits its payment is no contract yet: nothing of it is invoiced, and then it is gone. */
function askTakeBack(visit: Visit, { id, gate }: Contract): ConsoleResponse {
  const { t, format } = visit;
  const awaits = gate !== null && gate.contractId === id;
  const text = awaits ? t('act.take_back_text', { at: format.moment(gate.expires) }) : t('act.take_back_not');
  const button = awaits ? t('act.take_back') : null;
  return confirmPage(visit, { title: t('act.take_back'), up: upOf(visit), effect: html`<p>${text}</p>`, button });
}

async function takeBack(visit: Visit): Promise<ConsoleResponse> {
  const contract = await ownedContract(visit.db.em(), visit.visitor.vendorId, visit.param('id'));
  if (contract === null) return noSuchPage;
  await takeBackUnpaid(visit.db, visit.asker, callOf(visit));
  return goTo(customerAddress(contract.customerId), { key: 'act.take_back_done' });
}
