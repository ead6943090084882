import type { CustomerAccess } from '../../db/entitlement/access.ts';
import { Problem } from '../http/problem.ts';

/** Fails when the requested contract is not a contract of this customer. */
export function requireContract({ contracts }: CustomerAccess, contractId: string | undefined): void {
  if (contractId !== undefined && contracts[0]?.contract.id !== contractId) throw new Problem('contract_not_found');
}
