import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { insertRows } from '../rows.ts';

/** Money that came into a wallet or left it. */
export interface NewMovement {
  id: string;
  walletId: string;
  /** negative: an invoice was paid, or the vendor took back */
  amount: string;
  balanceAfter: string;
  description: string;
  invoiceId: string | null;
  at: Instant;
  kind: 'credit' | 'grant' | 'opening' | 'refund' | 'payment';
  /** what makes the movement unique */
  occasion: string;
}

/** Writes movements of wallets. SQL, because a bill run moves the wallets of a batch in few statements. */
export async function insertMovements(tx: Queryable, movements: readonly NewMovement[]): Promise<void> {
  const rows = movements.map((movement) => ({
    id: movement.id,
    wallet_id: movement.walletId,
    amount: movement.amount,
    balance_after: movement.balanceAfter,
    description: movement.description,
    invoice_id: movement.invoiceId,
    at: stamp(movement.at),
    kind: movement.kind,
    occasion: movement.occasion,
  }));
  await insertRows(tx, 'wallet_transaction', rows);
}
