import type { Instant } from '../../billing/calendar/instant.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Tx } from '../../db/connect.ts';
import type { CreditMovementKind, MovedLine } from '../../db/entities/credit.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { writeCreditMovements } from '../../db/sql/credit/write-movements.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import type { Entry } from '../../db/sql/ledger/write-transactions.ts';
import { together } from '../../db/together.ts';
import { creditEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import { planLooks } from './agenda.ts';
import { askTopUps } from './ask-top-up.ts';

/** A grant that is locked, as far as its movements need it; `balance` follows them. */
export type MovedGrant = Pick<OpenGrant, 'id' | 'vendorId' | 'customerId' | 'currency' | 'kind' | 'contractId' | 'balance'>;

/** Something that happens to a grant. */
export interface GrantMove {
  /** of the movement, and of its ledger transaction */
  id: string;
  grant: MovedGrant;
  kind: CreditMovementKind;
  /** positive: it gains */
  amount: string;
  invoiceId?: string;
  at: Instant;
  occasion: string;
  place?: number;
  lines?: readonly MovedLine[];
  /** of bought credits: the price of what moves, which is booked already; absent: none */
  booked?: string;
}

/**
 * Moves grants, in the order given: what is left of each, the movements, their postings and events. Top-ups look at
 * them.
 */
export async function moveGrants(tx: Tx, moves: readonly GrantMove[]): Promise<void> {
  if (moves.length === 0) return;
  const rows = moves.map((move) => {
    const { grant, amount } = move;
    grant.balance = moneyText(dec(grant.balance).plus(dec(amount)), grant.currency);
    const after = { grantId: grant.id, amount: moneyText(amount, grant.currency), balanceAfter: grant.balance };
    const { id, kind, at, occasion, invoiceId = null, place = null, lines = [] } = move;
    return { ...after, id, kind, at, occasion, invoiceId, place, lines };
  });
  const less = new Set(moves.filter(({ amount }) => dec(amount).isNegative()).map(({ grant }) => grant.customerId));
  await together(tx, [
    () => writeCreditMovements(tx, rows),
    () => post(tx, moves.flatMap(entriesOf)),
    () =>
      publish(
        tx,
        moves.map((move, place) => eventOf(move, rows[place]?.balanceAfter ?? '0')),
      ),
    () => planLooks(tx, [...less], Math.max(...moves.map(({ at }) => at))),
    () =>
      askTopUps(
        tx,
        moves.map(({ grant }) => grant),
      ),
  ]);
}

function entriesOf({ id, grant, kind, amount, invoiceId, at, booked = '0' }: GrantMove): Entry[] {
  const { vendorId, customerId, currency, kind: grantKind } = grant;
  return creditEntry(
    { id, vendorId, customerId, currency, occasion: id, invoiceId: invoiceId ?? null, at },
    { kind, grantKind, amount, booked },
  );
}

const EVENTS = {
  granted: 'v1.credit.granted',
  used: 'v1.credit.used',
  returned: 'v1.credit.used',
  expired: 'v1.credit.expired',
  voided: 'v1.credit.expired',
  refunded: 'v1.credit.expired',
  taken_back: 'v1.credit.expired',
} as const satisfies Record<CreditMovementKind, PublishedEvent['type']>;

/** Amounts of uses and expiries are positive; what goes back to a grant is a negative use. */
function eventOf({ grant, kind, amount, invoiceId, at }: GrantMove, left: string): PublishedEvent {
  const { id, vendorId, customerId, currency, contractId } = grant;
  const type = EVENTS[kind];
  const shown = moneyText(kind === 'granted' ? dec(amount) : dec(amount).neg(), currency);
  const more = invoiceId === undefined ? {} : { invoice_id: invoiceId };
  const reason = type === 'v1.credit.expired' ? { reason: kind } : {};
  const data = { customer_id: customerId, currency, amount: shown, left, ...more, ...reason };
  const event = { vendorId, objectId: id, at, data };
  return type === 'v1.credit.used' ? { ...event, type } : { ...event, type, contractId };
}
