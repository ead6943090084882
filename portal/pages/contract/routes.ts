import { planName } from '../../../billing/contract/period/sources.ts';
import { portalSubscription } from '../../../services/portal/subscription.ts';
import { goTo, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import { onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { contractContent } from './view.ts';

const CONTRACT_ID = /^Cont_[0-9a-f-]{36}$/;

/** What a customer sees of one subscription. */
export const contractPages = [onGet('/contract/:contract_id', showContract)];

async function showContract(visit: Visit): Promise<PortalResponse> {
  const id = visit.param('contract_id');
  const found = CONTRACT_ID.test(id) ? await portalSubscription(visit.db, visit.visitor, id, visit.now) : null;
  if (found === null) return noSuchPage;
  const { contract } = found.placed;
  // the contract was changed into another one, which is the one to look at
  if (contract.id !== id) return goTo(`/portal/contract/${contract.id}`, visit.note);
  return showPage({ title: planName(contract.terms), content: contractContent(visit, found) });
}
