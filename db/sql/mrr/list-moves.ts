import type { Instant } from '../../../billing/calendar/instant.ts';
import type { MrrMoveKind } from '../../../billing/contract/mrr/moves.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { FigureOwner } from '../figure/sums-before.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** A move as the list behind a figure has it. */
export interface ListedMove {
  id: string;
  kind: MrrMoveKind;
  at: Instant;
  customer_id: string;
  root_id: string;
  contract_id: string;
  currency: Currency;
  before: string;
  after: string;
  amount: string;
}

interface MoveFilter {
  from: Instant;
  to: Instant;
  move?: MrrMoveKind | undefined;
  currency?: Currency | undefined;
}

/** The moves of a span of time in their order. SQL, as all list pages are. */
export function moveList({ vendorId, clockId }: FigureOwner, { from, to, move, currency }: MoveFilter): List {
  const where = new Where()
    .and('m.vendor_id = ?', vendorId)
    .and('m.clock_id = ?', clockId)
    .and('m.at >= ?::timestamptz', new Date(from).toISOString())
    .and('m.at < ?::timestamptz', new Date(to).toISOString())
    .andGiven('m.kind = ?', move)
    .andGiven('m.currency = ?', currency);
  return { from: 'mrr_move m', select: 'm.*', at: 'm.at', id: 'm.id', where };
}
