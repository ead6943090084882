import type { Tx } from '../../db/connect.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { newId } from '../../db/id.ts';
import { lockWallets } from '../../db/sql/wallet/lock-wallets.ts';
import { openWallets } from '../../db/sql/wallet/open-wallets.ts';
import { insertMany } from '../../db/sql/write-many.ts';
import { together } from '../../db/together.ts';
import { type GrantMove, moveGrants } from './move.ts';

/** A grant as it is made, before anything is on it. */
export interface GrantRow extends Omit<GrantMove['grant'], 'balance'> {
  amount: string;
  priority: number;
  effectiveAt: number;
  expiresAt: number | null;
  features: string[] | null;
  plans: string[] | null;
  description: string | null;
  created: number;
  contractId: string | null;
  periodIdx: number | null;
  rolloverMaximum: string | null;
  rolloverUntil: number | null;
  rolledFrom: string | null;
}

/**
 * Writes new grants with their first movements. The wallets are locked before, since a transaction that looks at the
 * credits holds them, and waits for the rows of the agenda that the movements write.
 */
export async function writeGrants(tx: Tx, rows: readonly GrantRow[]): Promise<void> {
  if (rows.length === 0) return;
  await together(tx, [() => openWallets(tx, rows), () => lockWallets(tx, rows)]);
  await insertMany(
    tx,
    CreditGrant,
    rows.map((row) => ({ ...row, balance: '0' })),
  );
  await moveGrants(
    tx,
    rows.map(({ amount, created: at, ...grant }) => ({
      id: newId('Txn'),
      grant: { ...grant, balance: '0' },
      kind: 'granted',
      amount,
      at,
      occasion: 'granted',
    })),
  );
}
