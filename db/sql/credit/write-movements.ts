import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import type { CreditMovementKind, MovedLine } from '../../entities/credit.ts';
import { stamp } from '../../rows.ts';
import { together } from '../../together.ts';
import { insertRows } from '../rows.ts';

/** Something that happens to a grant. */
export interface NewCreditMovement {
  id: string;
  grantId: string;
  kind: CreditMovementKind;
  /** positive: it has gained */
  amount: string;
  balanceAfter: string;
  invoiceId: string | null;
  at: Instant;
  /** what makes it unique */
  occasion: string;
  place: number | null;
  lines: readonly MovedLine[];
}

/**
 * Writes movements of grants that are locked, and what is left of them. SQL, because a bill run moves the grants of a
 * batch in few statements.
 */
export async function writeCreditMovements(tx: Queryable, movements: readonly NewCreditMovement[]): Promise<void> {
  if (movements.length === 0) return;
  const rows = movements.map((one) => ({
    id: one.id,
    grant_id: one.grantId,
    kind: one.kind,
    amount: one.amount,
    balance_after: one.balanceAfter,
    invoice_id: one.invoiceId,
    at: stamp(one.at),
    occasion: one.occasion,
    place: one.place,
    lines: one.lines,
  }));
  await together(tx, [() => insertRows(tx, 'credit_movement', rows), () => setLeft(tx, movements)]);
}

/** What is left of each grant after its last movement. */
async function setLeft(tx: Queryable, movements: readonly NewCreditMovement[]): Promise<void> {
  const last = new Map(movements.map((one) => [one.grantId, one]));
  await tx.query(
    `update credit_grant set balance = x.balance,
       voided_at = case when x.kind = 'voided' then coalesce(voided_at, x.at) else voided_at end,
       expired_at = case when x.kind = 'expired' then coalesce(expired_at, x.at) else expired_at end
     from unnest($1::text[], $2::numeric[], $3::text[], $4::timestamptz[]) as x(id, balance, kind, at) where credit_grant.id = x.id`,
    [
      [...last.keys()],
      [...last.values()].map(({ balanceAfter }) => balanceAfter),
      [...last.values()].map(({ kind }) => kind),
      [...last.values()].map(({ at }) => stamp(at)),
    ],
  );
}
