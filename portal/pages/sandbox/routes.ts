import type { Lookup } from '../../../payments/port.ts';
import { isSandboxMethod } from '../../../payments/sandbox/methods.ts';
import type { Session } from '../../../services/payment/session.ts';
import { sessionOfVisitor } from '../../../services/portal/methods.ts';
import { sandboxAttempt } from '../../../services/portal/sandbox.ts';
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

const sandboxOf = ({ parts: { payments } }: Visit) => (payments.providers.has('sandbox') ? payments.providers.get('sandbox') : null);

/** The visitor's open session; null where there is nothing to set up. */
async function sessionOf(visit: Visit): Promise<Session | null> {
  const session = await sessionOfVisitor(visit.db.em(), visit.visitor, visit.param('token'));
  return session?.provider === 'sandbox' && session.status === 'pending' ? session : null;
}

/** Only our own page for this session, so that no link from elsewhere leads through us to another site. */
function backTo(session: Session, address: string): string {
  const own = `/portal/methods/return?session=${session.token}`;
  return address === own || address.startsWith(`${own}&invoice=`) ? address : own;
}

async function showSetup(visit: Visit): Promise<PortalResponse> {
  const [sandbox, session] = [sandboxOf(visit), await sessionOf(visit)];
  if (sandbox === null || session === null) return noSuchPage;
  const way = { action: `/portal/sandbox/${session.token}`, back: backTo(session, visit.query('back')) };
  return setupPage(visit, way);
}

const setupPage = (visit: Visit, way: Parameters<typeof setupContent>[1], errors = new Map<string, string>()): PortalResponse =>
  showPage({
    title: visit.t('sandbox.setup_title'),
    content: setupContent(visit, way, errors),
    narrow: true,
    status: errors.size > 0 ? 422 : 200,
  });

async function confirmSetup(visit: Visit, form: Form): Promise<PortalResponse> {
  const [sandbox, session] = [sandboxOf(visit), await sessionOf(visit)];
  if (sandbox?.confirmSetup === undefined || session === null) return noSuchPage;
  const way = { action: `/portal/sandbox/${session.token}`, back: backTo(session, form.text('back')) };
  const choice = form.text('choice');
  if (!isSandboxMethod(choice)) return setupPage(visit, way, new Map([['choice', visit.t('sandbox.choose_error')]]));
  const outcome = await sandbox.confirmSetup({ reference: session.reference, choice });
  if (outcome.status !== 'pending') return goTo(way.back);
  return showPage({ title: visit.t('sandbox.bank_title'), content: bankSetupContent(visit, way, choice), narrow: true });
}

/** The visitor's attempt that waits for the bank, with the page that it came from. */
async function chargeOf(visit: Visit) {
  const step = sandboxOf(visit)?.secondStep;
  const attempt = await sandboxAttempt(visit.db.em(), visit.visitor, visit.param('key'));
  if (step?.decide === undefined || attempt === null || attempt.returnUrl === null) return null;
  const lookup: Lookup = { key: attempt.providerKey, reference: null, method: { reference: '', customerReference: null }, now: visit.now };
  const waits = (await step.pageOf(lookup)) !== null;
  return { attempt, decide: step.decide, waits, back: new URL(attempt.returnUrl).pathname };
}

async function showCharge(visit: Visit): Promise<PortalResponse> {
  const charge = await chargeOf(visit);
  if (charge === null) return noSuchPage;
  const { attempt, waits, back } = charge;
  if (!waits) return goTo(back);
  const amount = visit.format.money(attempt.amount, attempt.currency);
  const content = bankChargeContent(visit, `/portal/sandbox/charge/${attempt.providerKey}`, amount);
  return showPage({ title: visit.t('sandbox.bank_title'), content, narrow: true });
}

async function decideCharge(visit: Visit, form: Form): Promise<PortalResponse> {
  const charge = await chargeOf(visit);
  if (charge === null) return noSuchPage;
  await charge.decide({ key: charge.attempt.providerKey, approved: form.text('decision') === 'approve' });
  return goTo(charge.back);
}
