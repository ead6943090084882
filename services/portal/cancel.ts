import type { Instant } from '../../billing/calendar/instant.ts';
import type { CancelRequest } from '../../billing/contract/change/cancel.ts';
import { cancellationAt, cycleEnd, expirationAt } from '../../billing/contract/period/time.ts';
import type { Outcome } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { cancelContract } from '../contract/cancel.ts';
import { estimateCancellation, type ForeseenCancellation } from '../contract/estimate-cancel.ts';
import type { OwnContract } from './own-contract.ts';
import type { PortalVisitor } from './token.ts';

/** When a customer may end a contract itself, and the instant that this is. */
export interface CancelOption {
  when: 'end_of_cycle' | 'now';
  at: Instant;
}

/**
 * The times that a customer may choose: the end of the cycle; in a trial and before the beginning also at once, since
 * nothing is paid then. None where the contract ends by itself before, and where its cycle has no end.
 */
export function cancelOptions({ snapshot: { contract, customer }, now }: OwnContract): CancelOption[] {
  if (contract.status !== 'active') return [{ when: 'now', at: now }];
  const end = cycleEnd(contract, customer.pauses);
  const expires = expirationAt(contract, customer.pauses);
  const atEnd: CancelOption[] = end === null || (expires !== null && expires <= end) ? [] : [{ when: 'end_of_cycle', at: end }];
  return contract.start === null ? [...atEnd, { when: 'now', at: now }] : atEnd;
}

/** What a customer has confirmed. */
export interface CancelChoice {
  when: CancelOption['when'];
  /** the end that the page has shown; null for at once */
  until: Instant | null;
  /** why, for the vendor */
  notes: string | null;
}

/**
 * Ends a contract as its customer has confirmed it. Unused time is not given back.
 *
 * @throws Refusal `estimate_outdated` where it would end at another instant than the page has shown, or at once though
 * a period has begun meanwhile
 */
export async function cancelByCustomer(
  db: Database,
  { visitor, asker }: { visitor: PortalVisitor; asker: Asker },
  contractId: string,
  choice: CancelChoice,
): Promise<void> {
  const { when, until, notes } = choice;
  const call = { vendorId: visitor.vendorId, contractId };
  await db.transaction(async (tx) => {
    await cancelContract(tx, call, requestOf(when, notes), (outcome) => {
      if (when === 'now' && hasBegun(outcome, contractId)) throw movedEnd();
    });
    if (until !== null && (await endOf(tx, visitor, contractId)) !== until) throw movedEnd();
  }, asker);
}

/** Whether a period of the contract has begun by the time it is locked: then it is charged, and lasts to its end. */
const hasBegun = ({ effects }: Outcome, contractId: string): boolean =>
  effects.contracts.some(({ id, start }) => id === contractId && start !== null);

/** What a cancellation in the portal asks for. */
const requestOf = (when: CancelOption['when'], notes: string | null): CancelRequest => ({ when: { type: when }, credit: false, notes });

/** What a cancellation would come to, if nothing more happens. */
export const estimateByCustomer = (
  db: Database,
  { vendorId }: PortalVisitor,
  contractId: string,
  when: CancelOption['when'],
): Promise<ForeseenCancellation> => estimateCancellation(db, { vendorId, contractId }, requestOf(when, null));

/** When a contract ends that was just canceled. */
async function endOf(tx: Tx, { customerId }: PortalVisitor, contractId: string): Promise<Instant | null> {
  const [contract] = await contractsByIds(tx, [contractId]);
  if (!contract?.cancellation) return null;
  return cancellationAt(contract, await readPauses(tx, customerId));
}

const movedEnd = (): Refusal => new Refusal('estimate_outdated', 'The contract would end at another instant than was shown.');
