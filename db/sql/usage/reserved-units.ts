import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';

/** SQL: a reservation `r` of customer `c` still keeps its units, by the customer's clock at this very moment. */
export const KEEPS = `r.status = 'open' and r.expires_at > coalesce((select t.now from test_clock t where t.id = c.test_clock_id), clock_timestamp())`;

/** A span of a customer's feature: a day or an hour, or the billing bounds of a usage period. */
export interface ReservedSpan {
  customerId: string;
  slug: string;
  /** null where `idx` names the period */
  from: Instant | null;
  to: Instant | null;
  contractId: string | null;
  idx: number | null;
}

/** SQL: since when a period counts. A trial's row begins at the change that made its contract, and goes on counting. */
const BEGAN = `case when p.idx = 0 and p.follows_contract_id is not null then '-infinity'::timestamptz else p.start_at end`;

const SQL = `select k.n::int, coalesce(sum(r.units), 0) as units
  from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::int[]) with ordinality
    as k(customer_id, slug, began, ended, contract_id, idx, n)
  join customer c on c.id = k.customer_id
  left join usage_period p on p.contract_id = k.contract_id and p.idx = k.idx
  left join usage_reservation r on r.customer_id = k.customer_id and r.feature_slug = k.slug and ${KEEPS}
    and r.reserved_at >= coalesce(k.began, ${BEGAN}, '-infinity') and r.reserved_at < coalesce(k.ended, p.end_at, 'infinity')
  group by k.n`;

/**
 * Units that reservations keep in spans, in their order. SQL, because the time of a reservation is compared with the
 * customer's clock in the statement that adds it up.
 */
export async function reservedUnits(tx: Queryable, spans: readonly ReservedSpan[]): Promise<string[]> {
  if (spans.length === 0) return [];
  const rows = await tx.query<{ n: number; units: string }>(SQL, [
    spans.map(({ customerId }) => customerId),
    spans.map(({ slug }) => slug),
    spans.map(({ from }) => stampOrNull(from)),
    spans.map(({ to }) => stampOrNull(to)),
    spans.map(({ contractId }) => contractId),
    spans.map(({ idx }) => idx),
  ]);
  const units = new Map(rows.map((row) => [row.n, row.units]));
  return spans.map((_, at) => units.get(at + 1) ?? '0');
}
