import type { AccessNow } from '../../services/entitlement/read.ts';
import { Problem } from '../http/problem.ts';

/** Fails when the requested contract is not a contract of this customer. */
export function requireContract({ contracts }: AccessNow, contractId: string | undefined): void {
  if (contractId !== undefined && contracts[0]?.contract.id !== contractId) throw new Problem('contract_not_found');
}
