import type { CancelRequest } from '../../../billing/contract/change/cancel.ts';
import type { CancelEstimate } from '../../../billing/contract/estimate/cancel-estimate.ts';
import type { Contract } from '../../../billing/contract/types.ts';
import type { Form } from '../../../portal/http/form.ts';
import { hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { cancelAsShown, endsWithCycle } from '../../../services/console/cancel.ts';
import { ownedContract } from '../../../services/console/contract.ts';
import { estimateCancellation } from '../../../services/contract/estimate-cancel.ts';
import { resumeContract } from '../../../services/contract/resume.ts';
import { undo } from '../../../services/contract/undo.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress } from '../links.ts';
import { isAmount } from './amount.ts';
import { confirmPage } from './confirm.ts';

/** What may be done with a contract. */
export const contractActs = [
  ...onAct('/contract/:id/resume', (visit) => ofContract(visit, askResume), resume, []),
  ...onAct('/contract/:id/cancel', (visit) => ofContract(visit, askCancel), cancel, ['when', 'credit', 'until', 'given_back', 'notes']),
  ...onAct('/contract/:id/cancel_undo', (visit) => ofContract(visit, askUndo), undoCancel, []),
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
  const effect = html`${choices(visit, request, canWait)}${estimateWords(visit, estimate)}`;
  return confirmPage(visit, { title: t('act.cancel'), up: upOf(visit), effect, fields, button: t(`act.cancel_${type}`) });
}

function choices({ t, path }: Visit, { when, credit }: CancelRequest, canWait: boolean): Html {
  const link = (address: string, text: string, isCurrent: boolean): Html =>
    html`<li><a href="${path}${address}"${isCurrent ? html` aria-current="page"` : null}>${text}</a></li>`;
  const isNow = when.type === 'now';
  return html`<nav class="tabs" aria-label="${t('act.when')}"><ul>${canWait ? link('', t('act.when_end_of_cycle'), !isNow) : null}
${link('?when=now', t('act.when_now'), isNow && !credit)}${link('?when=now&credit=yes', t('act.when_now_credit'), isNow && credit)}</ul></nav>`;
}

function estimateWords({ t, format }: Visit, { at, invoices, credit, total }: CancelEstimate): Html {
  const currency = invoices[0]?.invoice.currency;
  const money = (amount: string): string => (currency === undefined ? format.number(amount) : format.money(amount, currency));
  return html`<dl class="sums"><dt>${t('act.ends')}</dt><dd>${at === null ? t('act.not_at_all') : format.moment(at)}</dd>
<dt>${t('act.given_back')}</dt><dd>${money(credit)}</dd><dt class="total">${t('act.last_invoices', { count: invoices.length })}</dt><dd class="total">${money(total)}</dd></dl>`;
}

async function cancel(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const [until, givenBack] = [form.text('until'), form.text('given_back')];
  if (!isAmount(givenBack)) return { kind: 'fixed', page: 'form', status: 400 };
  const request = requestOf(form.text);
  const isNow = request.when.type === 'now' || until === '';
  await cancelAsShown(visit.db, visit.asker, callOf(visit), request, { until: isNow ? null : Number(until), givenBack });
  return goTo(contractAddress(visit.param('id')), { key: 'act.cancel_done' });
}

function askUndo(visit: Visit): ConsoleResponse {
  const { t } = visit;
  return confirmPage(visit, { title: t('act.undo'), up: upOf(visit), effect: html`<p>${t('act.undo_text')}</p>`, button: t('act.undo') });
}

async function undoCancel(visit: Visit, _: Form): Promise<ConsoleResponse> {
  await visit.db.transaction((tx) => undo(tx, callOf(visit), 'cancel_undo'), visit.asker);
  return goTo(contractAddress(visit.param('id')), { key: 'act.undo_done' });
}
