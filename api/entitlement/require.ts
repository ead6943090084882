import type { CustomerAccess } from '../../db/entitlement/access.ts';
import { Problem } from '../http/problem.ts';

/** A contract that is asked for must be one of the customer. */
export function requireContract({ contracts }: CustomerAccess, contractId: string | undefined): void {
  if (contractId !== undefined && contracts[0]?.contract.id !== contractId) throw new Problem('contract_not_found');
}
