import { planName } from '../../../billing/contract/period/sources.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { undo } from '../../../services/contract/undo.ts';
import { readOwnContract } from '../../../services/portal/own-contract.ts';
import { goTo, noSuchPage, type PortalResponse } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress, readOnlyPage } from './own.ts';

const DONE = { change_undo: 'change.change_undone', cancel_undo: 'change.cancel_undone' } as const;

/** Takes back what is planned; where nothing is planned any more, the next page says so. */
export const takeBack =
  (kind: keyof typeof DONE) =>
  async (visit: Visit): Promise<PortalResponse> => {
    const { db, visitor, asker } = visit;
    const found = await readOwnContract(db, visitor, visit.param('id'));
    if (found === null) return noSuchPage;
    if (found.type === 'elsewhere') return goTo(contractAddress(found.contractId), { key: 'change.nothing_waits' });
    const { contract } = found.own.snapshot;
    if (found.own.readOnly !== null) return readOnlyPage(visit, found.own, found.own.readOnly, 409);
    const call = { vendorId: visitor.vendorId, contractId: contract.id };
    try {
      await db.transaction((tx) => undo(tx, call, kind), asker);
    } catch (error) {
      const isGone = error instanceof Refusal && (error.code === 'no_pending_change' || error.code === 'no_cancellation');
      if (!isGone) throw error;
      return goTo(contractAddress(contract.id), { key: 'change.nothing_waits' });
    }
    return goTo(contractAddress(contract.id), { key: DONE[kind], values: { plan: planName(contract.terms) } });
  };
