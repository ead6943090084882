import { dec } from '../../../billing/money/decimal.ts';
import type { PortalContract } from '../../../services/portal/contracts.ts';
import type { PortalGate } from '../../../services/portal/gate.ts';
import type { Visit } from '../../http/visit.ts';
import { type Html, html } from '../../parts/html.ts';
import { noteBox } from '../../parts/note.ts';

/** Where the customer finishes the payment of a contract that waits for it. */
export const gateAddress = (contractId: string): string => `/portal/payment/${contractId}`;

/** What waits for its payment: the plan, the amounts, until when, and what the customer can do. */
export function gateContent(visit: Visit, gate: PortalGate): Html {
  const { t } = visit;
  return html`<a class="up" href="/portal">${t('pay.up')}</a>
<div class="title"><h1>${t('gate.title', { plan: gate.plan })}</h1></div>
${gate.status === 'waiting' ? waiting(visit, gate) : noteBox('wait', html`<strong>${t('gate.ended_title')}</strong> ${t('gate.ended_text')}`)}`;
}

function waiting(visit: Visit, gate: PortalGate): Html {
  const { t, format } = visit;
  const { invoiceAmount, fromCredits, fromWallet, toPay, currency, expires } = gate;
  const money = (amount: string) => format.money(amount, currency);
  return html`<section aria-labelledby="amounts"><div class="head"><h2 id="amounts">${t('gate.amounts_title')}</h2></div>
<dl><dt>${t('pay.total')}</dt><dd>${money(invoiceAmount)}</dd>
${dec(fromCredits).gt(0) ? html`<dt>${t('pay.credits')}</dt><dd>${money(fromCredits)}</dd>` : null}
${dec(fromWallet).gt(0) ? html`<dt>${t('pay.wallet')}</dt><dd>${money(fromWallet)}</dd>` : null}
<dt>${t('pay.to_pay')}</dt><dd><strong>${money(toPay)}</strong></dd>
<dt>${t('gate.until')}</dt><dd>${format.moment(expires)}</dd></dl></section>
${wayOn(visit, gate)}`;
}

function wayOn({ t, format }: Visit, { contractId, underWay, toPay, currency }: PortalGate): Html {
  const page = gateAddress(contractId);
  const amount = format.money(toPay, currency);
  const asks = underWay?.waitsForCustomer === true;
  const act = asks
    ? html`<a class="button main" href="${page}/step">${t('pay.confirm')}</a>`
    : html`<a class="button" href="${page}">${t('pay.look_again')}</a>`;
  return html`<section aria-labelledby="way"><div class="head"><h2 id="way">${t(asks ? 'pay.confirm_title' : 'pay.under_way_title')}</h2></div>
<p>${asks ? t('pay.confirm_text', { amount }) : t('gate.under_way_text', { amount })}</p>
<div class="actions">${act}</div>
<p class="soft small">${t('gate.other')} <a href="/portal/methods">${t('overview.all_methods')}</a></p></section>
`;
}

/** Says on the overview what waits for its payment, with the way there. */
export function gateNotice({ t }: Visit, contracts: readonly PortalContract[]): Html | null {
  const waits = contracts.flatMap(({ contract: { gate } }) => (gate === null ? [] : [gate]));
  if (waits.length === 0) return null;
  return html`${waits.map((gate) => noteBox('wait', html`${t('gate.notice')} <a href="${gateAddress(gate.contractId)}">${t('gate.notice_link')}</a>`))}`;
}
