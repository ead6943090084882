import { planName } from '../../../billing/contract/period/sources.ts';
import { type OwnContract, type ReadOnlyReason, readOwnContract } from '../../../services/portal/own-contract.ts';
import { PORTAL_PREFIX } from '../../http/parts.ts';
import { goTo, noSuchPage, type PortalResponse, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { html } from '../../parts/html.ts';
import { noteBox } from '../../parts/note.ts';

/** Address of a contract's page, or of one below it. */
export const contractAddress = (contractId: string, below = ''): string => `${PORTAL_PREFIX}/contract/${contractId}${below}`;

const READ_ONLY = {
  frozen: 'change.read_only_frozen',
  parked: 'change.read_only_parked',
  catching_up: 'change.read_only_catching_up',
  ended: 'change.read_only_ended',
} as const satisfies Record<ReadOnlyReason, string>;

/** Why nothing can be changed now. */
const readOnlyText = ({ t }: Visit, reason: ReadOnlyReason): string => t(READ_ONLY[reason]);

/** A page of a contract that the customer may act on. */
type ShowOwn = (visit: Visit, own: OwnContract) => Promise<PortalResponse> | PortalResponse;

/**
 * Shows a page of a contract of the customer. The address of a contract that was changed leads to the one that took its
 * place; where nothing can be changed, the page says why.
 *
 * @param below what follows the contract's address
 */
export const onOwnContract =
  (below: string, show: ShowOwn) =>
  async (visit: Visit): Promise<PortalResponse> => {
    const found = await readOwnContract(visit.db, visit.visitor, visit.param('id'));
    if (found === null) return noSuchPage;
    if (found.type === 'elsewhere') return goTo(contractAddress(found.contractId, below));
    const { own } = found;
    return own.readOnly === null ? show(visit, own) : readOnlyPage(visit, own, own.readOnly, 200);
  };

/** Says why nothing can be changed. */
export function readOnlyPage(visit: Visit, { snapshot }: OwnContract, reason: ReadOnlyReason, status: number): PortalResponse {
  const plan = planName(snapshot.contract.terms);
  return showPage({
    title: plan,
    content: html`<a class="up" href="${contractAddress(snapshot.contract.id)}">${visit.t('change.up', { plan })}</a>
<div class="title"><h1>${plan}</h1></div>
${noteBox('wait', html`${readOnlyText(visit, reason)}`)}`,
    status,
    narrow: true,
  });
}
