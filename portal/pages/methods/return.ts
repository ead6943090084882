import { concludeByProvider } from '../../../services/payment/conclude-session.ts';
import { waitForOutcome } from '../../../services/payment/pay-and-wait.ts';
import { isProviderAway } from '../../../services/payment/provider-away.ts';
import type { Session } from '../../../services/payment/session.ts';
import { sessionOfVisitor } from '../../../services/portal/methods.ts';
import { lastAttempt, payableInvoice } from '../../../services/portal/pay.ts';
import { goTo, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { html } from '../../parts/html.ts';
import { reasonKey } from '../../parts/reason.ts';
import { messageContent } from '../message/view.ts';

/** Where a provider sends the customer back. The address proves nothing: the provider is asked what became of it. */
export async function comeBackWithMethod(visit: Visit): Promise<PortalResponse> {
  const { db, visitor, now, query } = visit;
  const open = await sessionOfVisitor(db.em(), visitor, query('session'));
  const invoice = query('invoice') === '' ? null : await payableInvoice(db, visitor, query('invoice'));
  if (open === null || (query('invoice') !== '' && invoice === null)) return noSuchPage;
  const isOpen = open.status === 'pending' && open.expires > now;
  const session = isOpen ? await concluded(visit, open) : open;
  if (session.status !== 'succeeded') return notAdded(visit, session, invoice?.id ?? null);
  if (invoice === null) return goTo('/portal/methods', { key: 'methods.added' });
  // a first method is charged at once for what is overdue
  const charged = await lastAttempt(db.em(), invoice.id);
  if (charged?.status === 'processing') await waitForOutcome(visit.parts.awaitPayment, charged.id);
  return goTo(`/portal/invoice/${invoice.id}/pay?method=${session.methodId}`, { key: 'methods.added' });
}

/** Where the provider doesn't answer the session stays open, and its notice or its expiry ends it. */
async function concluded({ db, parts }: Visit, session: Session): Promise<Session> {
  try {
    return await concludeByProvider({ db, payments: parts.payments }, session, (provider) => provider.readSetup(session));
  } catch (error) {
    if (isProviderAway(error)) return session;
    throw error;
  }
}

function notAdded(visit: Visit, session: Session, invoiceId: string | null): PortalResponse {
  const { t } = visit;
  const [title, text] = wordsFor(visit, session);
  const back =
    invoiceId === null
      ? html`<p><a href="/portal/methods">${t('methods.back')}</a></p>`
      : html`<p><a href="/portal/invoice/${invoiceId}/pay">${t('methods.back_to_invoice')}</a></p>`;
  return showPage({ title, content: messageContent(title, text, back), narrow: true });
}

function wordsFor({ t, now, query }: Visit, { status, expires, reason }: Session): [title: string, text: string] {
  if (status === 'failed') return [t('methods.refused_title'), t(`reasons.${reasonKey(reason)}`)];
  if (status === 'expired' || expires <= now) return [t('methods.session_expired_title'), t('methods.session_expired_text')];
  if (query('canceled') !== '') return [t('methods.not_added_title'), t('methods.not_added_text')];
  return [t('methods.pending_title'), t('methods.pending_text')];
}
