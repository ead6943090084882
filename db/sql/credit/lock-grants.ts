import type { Instant } from '../../../billing/calendar/instant.ts';
import type { GrantKind } from '../../../billing/credit/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/** A grant of which something is left. */
export interface OpenGrant {
  id: string;
  vendorId: string;
  customerId: string;
  currency: Currency;
  kind: GrantKind;
  balance: string;
  held: string;
  priority: number;
  effectiveAt: Instant;
  expiresAt: Instant | null;
  features: string[] | null;
  plans: string[] | null;
  /** the contract whose plan gives it */
  contractId: string | null;
  rolloverMaximum: string | null;
  rolloverUntil: Instant | null;
  /** the grant that it is left of; absent or null: none */
  rolledFrom?: string | null;
}

/** SQL: the columns of an open grant. */
export const OPEN_GRANT = `id, vendor_id as "vendorId", customer_id as "customerId", currency, kind, balance, held, priority,
  effective_at as "effectiveAt", expires_at as "expiresAt", features, plans, contract_id as "contractId",
  rollover_maximum as "rolloverMaximum", rollover_until as "rolloverUntil", rolled_from as "rolledFrom"`;

const OPEN = `select ${OPEN_GRANT} from credit_grant
  where (customer_id, currency) in (select * from unnest($1::text[], $2::text[])) and balance > 0 order by id`;

type Owners = readonly { customerId: string; currency: Currency }[];

const valuesOf = (owners: Owners): unknown[] => [owners.map(({ customerId }) => customerId), owners.map(({ currency }) => currency)];

/**
 * Locks the grants of customers of which something is left, by their id, so that two transactions never deadlock. SQL,
 * because a bill run asks it for all customers of a batch in one statement, and hardly any of them has a grant.
 */
export async function lockGrants(tx: Queryable, owners: Owners): Promise<OpenGrant[]> {
  return owners.length === 0 ? [] : tx.query<OpenGrant>(`${OPEN} for update`, valuesOf(owners));
}

/** The same without locks, for what is to come. SQL, because it is the same statement. */
export const readOpenGrants = (db: Queryable, owners: Owners): Promise<OpenGrant[]> => db.query<OpenGrant>(OPEN, valuesOf(owners));
