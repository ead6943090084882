import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/transaction.ts';
import { readGate } from '../payment-gate/gate.ts';
import type { ContractCall } from './decide.ts';

/**
 * Why there is no such contract to decide about or to estimate: it never was, or its payment gate has ended, so that it
 * can only be read.
 */
export async function unknownContract(tx: Pick<Tx, 'em'>, { vendorId, contractId }: ContractCall): Promise<Refusal> {
  const gate = await readGate(tx, contractId);
  if (gate?.vendorId !== vendorId) return new Refusal('contract_not_found', `There is no contract ${contractId}.`);
  return new Refusal('contract_not_live', 'It is canceled, since it was not paid; sign or change again.');
}
