import type { Instant } from '../../billing/calendar/instant.ts';
import type { MethodDetails, MethodRef, MethodType, NewMethod, ProviderName } from '../../billing/payment/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { planCustomer } from './plan.ts';

/** A payment method of a customer. */
export interface Method {
  id: string;
  customerId: string;
  created: Instant;
  type: MethodType;
  provider: ProviderName;
  status: 'active' | 'inactive' | 'detached' | 'invalid';
  details: MethodDetails;
  holderName: string | null;
  isDefault: boolean;
}

/** What pays by itself: a method, nothing, or the vendor's own means. */
export type Selection = 'none' | 'manual' | (string & {});

const SELECT = `select m.id, m.customer_id as "customerId", m.created, m.method_type as type, m.provider, m.status, m.details,
  m.holder_name as "holderName", c.default_payment = m.id as "isDefault"
  from payment_method m join customer c on c.id = m.customer_id`;

/** The methods of a customer, oldest first, without detached ones. */
export function listMethods(db: Queryable, vendorId: string, customerId: string): Promise<Method[]> {
  return db.query<Method>(`${SELECT} where m.vendor_id = $1 and m.customer_id = $2 and m.status <> 'detached' order by m.created, m.id`, [
    vendorId,
    customerId,
  ]);
}

export async function readMethod(db: Queryable, vendorId: string, customerId: string, id: string): Promise<Method | null> {
  const [row] = await db.query<Method>(`${SELECT} where m.vendor_id = $1 and m.customer_id = $2 and m.id = $3`, [vendorId, customerId, id]);
  return row ?? null;
}

/**
 * Writes a method that was set up, once for each of the provider's references.
 *
 * @returns its id; null when it is another customer's
 */
export async function insertMethod(
  tx: Queryable,
  owner: { vendorId: string; customerId: string; provider: ProviderName },
  method: NewMethod,
  at: Instant,
): Promise<string | null> {
  await insertRows(
    tx,
    'payment_method',
    [
      {
        id: newId('CPMet'),
        vendor_id: owner.vendorId,
        customer_id: owner.customerId,
        created: stamp(at),
        method_type: method.type,
        provider: owner.provider,
        status: 'active',
        details: method.details,
        holder_name: method.holderName,
        reference: method.reference,
        customer_reference: method.customerReference,
        detach_pending: false,
      },
    ],
    'on conflict (provider, reference) do nothing',
  );
  const [row] = await tx.query<{ id: string }>(
    'select id from payment_method where provider = $1 and reference = $2 and customer_id = $3',
    [owner.provider, method.reference, owner.customerId],
  );
  return row?.id ?? null;
}

/** Chooses what pays by itself; overdue invoices are tried with it at once. The customer is held exclusively by the caller. */
export async function selectDefault(tx: Tx, vendorId: string, customerId: string, selection: Selection): Promise<void> {
  if (selection !== 'none' && selection !== 'manual') await requireActive(tx, vendorId, customerId, selection);
  await tx.query('update customer set default_payment = $2 where id = $1', [customerId, selection]);
  await planCustomer(tx, customerId);
}

async function requireActive(tx: Queryable, vendorId: string, customerId: string, id: string): Promise<void> {
  const method = await readMethod(tx, vendorId, customerId, id);
  if (method === null) throw new Refusal('payment_method_not_found', 'this customer has no such payment method');
  if (method.status !== 'active') throw new Refusal('payment_method_state', `the payment method is ${method.status}`);
}

/**
 * Takes a method away; the provider is told afterwards, until it has heard. Nothing pays by itself any more where it was the default.
 * A second call changes nothing.
 */
export async function detachMethod(tx: Tx, vendorId: string, customerId: string, id: string): Promise<void> {
  const method = await readMethod(tx, vendorId, customerId, id);
  if (method === null) throw new Refusal('payment_method_not_found', 'this customer has no such payment method');
  if (method.status === 'detached') return;
  await tx.query(`update payment_method set status = 'detached', detach_pending = true where id = $1`, [id]);
  enqueue(tx, 'detach', id);
  if (method.isDefault) await selectDefault(tx, vendorId, customerId, 'none');
}

/** A method the provider has still to be told to forget; null when it has heard. */
export async function pendingDetach(db: Queryable, id: string): Promise<(MethodRef & { provider: ProviderName }) | null> {
  const [row] = await db.query<MethodRef & { provider: ProviderName }>(
    `select provider, reference, customer_reference as "customerReference" from payment_method where id = $1 and detach_pending`,
    [id],
  );
  return row ?? null;
}

export async function detachHeard(db: Queryable, id: string): Promise<void> {
  await db.query('update payment_method set detach_pending = false where id = $1', [id]);
}
