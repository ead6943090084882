import { confirmationPage, lookUpAttempt } from '../../../services/payment/second-step.ts';
import { type PortalGate, portalGate } from '../../../services/portal/gate.ts';
import { goTo, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { gateAddress, gateContent } from './view.ts';

/** A change or a contract that waits for its payment: see what there is to pay, confirm it at the bank, come back. */
export const gatePages = [
  onGet('/payment/:contract_id', showGate),
  onGet('/payment/:contract_id/step', goToBank),
  onGet('/payment/:contract_id/return', comeBack),
];

const CONTRACT_ID = /^Cont_[0-9a-f-]{36}$/;

async function gateOf(visit: Visit): Promise<PortalGate | null> {
  const id = visit.param('contract_id');
  return CONTRACT_ID.test(id) ? portalGate(visit.db, visit.visitor, id) : null;
}

async function showGate(visit: Visit): Promise<PortalResponse> {
  const gate = await gateOf(visit);
  if (gate === null) return noSuchPage;
  if (gate.status === 'succeeded') return goTo(`/portal/contract/${gate.contractId}`, visit.note);
  return showPage({ title: visit.t('gate.title', { plan: gate.plan }), content: gateContent(visit, gate), narrow: true });
}

async function goToBank(visit: Visit): Promise<PortalResponse> {
  const gate = await gateOf(visit);
  if (gate === null) return noSuchPage;
  const { db, parts } = visit;
  const { underWay } = gate;
  const page = underWay?.waitsForCustomer ? await confirmationPage({ db, payments: parts.payments }, underWay.id) : null;
  return page === null ? comeBack(visit) : goTo(page);
}

/** What the bank's page says in the address proves nothing, so the provider is asked. */
async function comeBack(visit: Visit): Promise<PortalResponse> {
  const gate = await gateOf(visit);
  if (gate === null) return noSuchPage;
  const { db, parts } = visit;
  if (gate.underWay !== null) await lookUpAttempt({ db, payments: parts.payments }, gate.underWay.id);
  const now = await gateOf(visit);
  const values = { amount: visit.format.money(gate.toPay, gate.currency) };
  return goTo(gateAddress(gate.contractId), now?.status === 'succeeded' ? { key: 'pay.paid_note', values } : null);
}
