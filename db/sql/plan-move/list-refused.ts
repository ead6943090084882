import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** The contracts that a vendor's move has refused, in the order in which it did. SQL, as all list pages are. */
export function refusedList(vendorId: string, planId: string, moveId: string): List {
  return {
    from: 'plan_move_contract own join plan_move move on move.id = own.move_id',
    select: 'own.contract_id as "contractId", own.code',
    at: 'own.at',
    id: 'own.contract_id',
    where: new Where()
      .and('own.move_id = ?', moveId)
      .and(`own.outcome = 'refused'`)
      .and('move.vendor_id = ?', vendorId)
      .and('move.plan_id = ?', planId),
  };
}
