import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import type { AccountKind } from '../../entities/ledger.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { type FigureOwner, POSTINGS } from './sums-before.ts';

/** SQL: the columns of a posting. */
export const POSTING_COLUMNS =
  't.id as transaction_id, a.kind as account, a.owner, a.currency, p.amount, t.at, t.kind, t.customer_id, t.invoice_id';

/** A posting as the ledger's list has it. */
export interface ListedPosting {
  transaction_id: string;
  account: AccountKind;
  owner: string;
  currency: Currency;
  amount: string;
  at: Instant;
  kind: string;
  customer_id: string;
  invoice_id: string | null;
}

/**
 * Up to how many postings an account has few: a page then looks them up by account and by key (`offset 0`), since among
 * all postings it might search for long.
 */
const RARE: ReadonlySet<AccountKind | undefined> = new Set(['grants', 'openings', 'promotions', 'breakage', 'disputed', 'losses'] as const);
const BY_ACCOUNT = `ledger_account a
    cross join lateral (select q.transaction_id, q.amount from ledger_posting q where q.account_id = a.id offset 0) p
    cross join lateral (select o.* from ledger_transaction o where o.id = p.transaction_id offset 0) t`;

interface PostingFilter {
  account?: AccountKind | undefined;
  /** id of a transaction */
  after?: string | undefined;
}

const TOTAL = `
  select coalesce(sum(n), 0) as n from (
    select n from figure_sum where vendor_id = $1 and clock_id = $2 and figure = 'ledger' and ($3::text is null or part = $3)
    union all
    select n from figure_sum_change where vendor_id = $1 and clock_id = $2 and figure = 'ledger' and ($3::text is null or part = $3)
  ) kept`;

/** The kept number of all postings, or of those of one account. */
async function keptTotal(db: Queryable, { vendorId, clockId }: FigureOwner, account: string | undefined): Promise<number> {
  const [row] = await db.query<{ n: string }>(TOTAL, [vendorId, clockId, account ?? null]);
  return Number(row?.n ?? 0);
}

/** The postings in the order of their instants. SQL, as all list pages are. */
export function postingList(owner: FigureOwner, { account, after }: PostingFilter): List {
  const where = new Where()
    .and('t.vendor_id = ?', owner.vendorId)
    .and('t.clock_id = ?', owner.clockId)
    .andGiven('a.kind = ?', account)
    .andGiven('a.vendor_id = ?', RARE.has(account) ? owner.vendorId : undefined)
    .andGiven('(t.at, t.id) > (select l.at, l.id from ledger_transaction l where l.vendor_id = t.vendor_id and l.id = ?)', after);
  return {
    from: RARE.has(account) ? BY_ACCOUNT : POSTINGS,
    select: POSTING_COLUMNS,
    at: 't.at',
    id: `(t.id || '/' || a.kind)`,
    where,
    startsAt: true,
    total: after === undefined ? (db) => keptTotal(db, owner, account) : undefined,
  };
}
