import type * as shape from './generated/schemas.ts';

/** Money of a provider that paid no invoice belongs to the customer. */
type Paid = shape.InvoiceDetail | shape.Customer;

/** What `data.object` shows, by the type of the event. A type that is missing here does not compile. */
interface ObjectOf {
  'v1.customer.created': shape.Customer;
  'v1.customer.updated': shape.Customer;
  'v1.customer.frozen': shape.Customer;
  'v1.customer.activated': shape.Customer;
  'v1.contract.signature.scheduled': shape.Contract;
  'v1.contract.signature.completed': shape.Contract;
  'v1.contract.renewed': shape.Contract;
  'v1.contract.change.scheduled': shape.Contract;
  'v1.contract.change.completed': shape.Contract;
  'v1.contract.change.undone': shape.Contract;
  'v1.contract.cancellation.scheduled': shape.Contract;
  'v1.contract.cancellation.completed': shape.Contract;
  'v1.contract.cancellation.undone': shape.Contract;
  'v1.trial.ending': shape.Contract;
  'v1.usage_period.closed': shape.Contract;
  'v1.invoice.upcoming': shape.Contract;
  'v1.invoice.created': shape.InvoiceDetail;
  'v1.invoice.paid': shape.InvoiceDetail;
  'v1.payment.started': shape.InvoiceDetail;
  'v1.payment.succeeded': Paid;
  'v1.payment.failed': shape.InvoiceDetail;
  'v1.refund.created': Paid;
  'v1.dispute.opened': Paid;
  'v1.dispute.closed': Paid;
  'v1.credit_note.created': shape.CreditNote;
  'v1.wallet.changed': shape.WalletBalance;
  'v1.credit.granted': shape.CreditGrant;
  'v1.credit.used': shape.CreditGrant;
  'v1.credit.expired': shape.CreditGrant;
  'v1.payment_method.added': shape.PaymentMethod;
  'v1.payment_method.detached': shape.PaymentMethod;
  'v1.payment_method.expiring': shape.PaymentMethod;
  'v1.alert.reached': shape.Customer;
  'v1.webhook_endpoint.paused': shape.WebhookEndpoint;
}

/** What a webhook tells. `object` is the object soon after the fact; null once it is gone, or where it is too large. */
interface EventOf<Type extends shape.EventType> {
  id: string;
  type: Type;
  /** When it happened, on the customer's clock. */
  timestamp: string;
  /** Id of what it happened to. */
  object: string;
  /** Number of this event among those of its object, from 1 without gaps. */
  sequence: number;
  data: { id: string; object: ObjectOf[Type] | null } & Record<string, unknown>;
}

/** An event as a webhook brings it: `type` decides the shape of `data.object`. */
export type WebhookEvent = { [Type in shape.EventType]: EventOf<Type> }[shape.EventType];
