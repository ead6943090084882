import type { Session } from '../../../services/payment/session.ts';
import { chooseInSandbox, sandboxCharge, sandboxSession } from '../../../services/portal/sandbox.ts';
import type { Form } from '../../http/form.ts';
import { goTo, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet, onPost } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { bankChargeContent, bankSetupContent, setupContent } from './view.ts';

/** What stands for the pages of a payment provider and of a bank, where the sandbox is one. */
export const sandboxPages = [
  onGet('/sandbox/charge/:key', showCharge),
  onPost('/sandbox/charge/:key', decideCharge),
  onGet('/sandbox/:token', showSetup),
  onPost('/sandbox/:token', confirmSetup),
];

const partsOf = ({ db, parts: { payments } }: Visit) => ({ db, payments });
const sessionOf = (visit: Visit) => sandboxSession(partsOf(visit), visit.visitor, visit.param('token'));
const chargeOf = (visit: Visit) => sandboxCharge(partsOf(visit), visit.visitor, visit.param('key'), visit.now);

const INVOICE = /^&invoice=[\w-]+$/;

/** Only our own page for this session, so that no link from elsewhere leads through us to another site. */
function wayOf({ token }: Session, address: string): { action: string; back: string } {
  const own = `/portal/methods/return?session=${token}`;
  return { action: `/portal/sandbox/${token}`, back: address.startsWith(own) && INVOICE.test(address.slice(own.length)) ? address : own };
}

async function showSetup(visit: Visit): Promise<PortalResponse> {
  const { query } = visit;
  const session = await sessionOf(visit);
  return session === null ? noSuchPage : setupPage(visit, wayOf(session, query('back')));
}

const WRONG_FIELD = 422;

const setupPage = (visit: Visit, way: ReturnType<typeof wayOf>, errors = new Map<string, string>()): PortalResponse =>
  showPage({
    title: visit.t('sandbox.setup_title'),
    content: setupContent(visit, way, errors),
    narrow: true,
    status: errors.size > 0 ? WRONG_FIELD : 200,
  });

async function confirmSetup(visit: Visit, form: Form): Promise<PortalResponse> {
  const session = await sessionOf(visit);
  if (session === null) return noSuchPage;
  const way = wayOf(session, form.text('back'));
  const chosen = await chooseInSandbox(partsOf(visit), session, form.text('choice'));
  if (chosen.next === 'unknown') return setupPage(visit, way, new Map([['choice', visit.t('sandbox.choose_error')]]));
  if (chosen.next === 'done') return goTo(way.back);
  return showPage({ title: visit.t('sandbox.bank_title'), content: bankSetupContent(visit, way, chosen.choice), narrow: true });
}

async function showCharge(visit: Visit): Promise<PortalResponse> {
  const charge = await chargeOf(visit);
  if (charge === null) return noSuchPage;
  if (!charge.waits) return goTo(new URL(charge.returnUrl).pathname);
  const amount = visit.format.money(charge.amount, charge.currency);
  const content = bankChargeContent(visit, `/portal/sandbox/charge/${charge.key}`, amount);
  return showPage({ title: visit.t('sandbox.bank_title'), content, narrow: true });
}

async function decideCharge(visit: Visit, form: Form): Promise<PortalResponse> {
  const charge = await chargeOf(visit);
  if (charge === null) return noSuchPage;
  await charge.decide(form.text('decision') === 'approve');
  return goTo(new URL(charge.returnUrl).pathname);
}
