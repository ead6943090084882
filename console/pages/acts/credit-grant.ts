import { CreditGrant, type CreditGrantRecord } from '../../../db/entities/credit.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { voidGrant } from '../../../services/credit/grant.ts';
import { awaitsPayment } from '../../../services/credit/read.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { customerAddress } from '../links.ts';
import { confirmPage } from './confirm.ts';

/** What may be done with prepaid credits. */
export const creditGrantActs = onAct('/credit_grant/:id/void', askToVoid, voids, []);

const grantOf = ({ db, visitor, param }: Visit): Promise<CreditGrantRecord | null> =>
  db.em().findOne(CreditGrant, { id: param('id'), vendorId: visitor.vendorId });

async function askToVoid(visit: Visit): Promise<ConsoleResponse> {
  const grant = await grantOf(visit);
  if (grant === null) return noSuchPage;
  const { t } = visit;
  const up = { to: customerAddress(grant.customerId), title: t('customer.one') };
  return confirmPage(visit, { title: t('gift.void'), up, effect: effectOf(visit, grant), button: t('gift.void') });
}

/** What voiding a grant does. If nobody has paid the credits, their invoice goes with them. */
function effectOf({ t, format }: Visit, grant: CreditGrantRecord): Html {
  const { description, amount, balance, currency, kind } = grant;
  const waits = awaitsPayment(grant);
  const text = waits ? 'gift.void_unpaid' : kind === 'purchased' ? 'gift.void_bought' : 'gift.void_text';
  return html`<dl class="sums">${description === null ? null : html`<dt>${t('gift.description')}</dt><dd>${description}</dd>`}
<dt>${t('customer.grant_amount')}</dt><dd>${format.money(amount, currency)}</dd>
<dt class="total">${t('gift.void_left')}</dt><dd class="total">${format.money(waits ? amount : balance, currency)}</dd></dl><p>${t(text)}</p>`;
}

async function voids(visit: Visit): Promise<ConsoleResponse> {
  const grant = await grantOf(visit);
  if (grant === null) return noSuchPage;
  await visit.db.transaction((tx) => voidGrant(tx, visit.visitor.vendorId, grant.id), visit.asker);
  return goTo(customerAddress(grant.customerId), { key: 'gift.void_done' });
}
