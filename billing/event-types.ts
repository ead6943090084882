/**
 * Everything that the log of events can say, in one closed list: the type and what it tells. The API's document,
 * `docs/events.md` and the choice of types of a webhook endpoint are made from it.
 */
export const EVENT_TYPES = {
  'v1.customer.created': 'A customer was made.',
  'v1.customer.updated': 'Data of a customer were changed.',
  'v1.customer.frozen': 'A customer was frozen: nothing is charged until the activation.',
  'v1.customer.activated': 'A freeze has ended, or a registration was completed.',
  'v1.contract.signature.scheduled': 'A contract was signed whose activation lies ahead.',
  'v1.contract.signature.completed': 'A contract became active.',
  'v1.contract.renewed': 'A contract went into its next billing period.',
  'v1.contract.change.scheduled': 'A change to another plan or other units waits for its instant.',
  'v1.contract.change.completed': 'A contract was changed into its successor.',
  'v1.contract.change.undone': 'A change that waited was taken back.',
  'v1.contract.cancellation.scheduled': 'A cancellation waits for its instant.',
  'v1.contract.cancellation.completed': 'A contract has ended: canceled, expired, or its trial ended without a payment method.',
  'v1.contract.cancellation.undone': 'A cancellation that waited was taken back.',
  'v1.trial.ending': 'A trial ends in three days; of a shorter one: it has begun.',
  'v1.usage_period.closed': 'The usage of a period was summed and priced; later events of that time are corrections.',
  'v1.invoice.upcoming': 'An invoice will be made in three days, if nothing more happens; `at` says when.',
  'v1.invoice.created': 'An invoice was made, with its number.',
  'v1.invoice.paid': 'Nothing of an invoice is left to pay.',
  'v1.payment.started': 'A payment attempt began.',
  'v1.payment.succeeded': 'A payment came in.',
  'v1.payment.failed': 'A payment attempt failed; `next_attempt` tells when the next one follows.',
  'v1.refund.created': 'Money of a payment is given back, by a credit note or by the provider alone.',
  'v1.dispute.opened': 'A customer objects to a payment at its bank; the provider holds the money back.',
  'v1.dispute.closed': 'A dispute was won or lost. It comes again where the provider later reports another end or amount.',
  'v1.credit_note.created': 'A credit note gives back a part of an invoice.',
  'v1.wallet.changed': 'Money came into a wallet or left it; what a payment gate holds is no change.',
  'v1.credit.granted': 'Prepaid credits were granted to a customer.',
  'v1.credit.used': 'Prepaid credits paid an invoice or a part of it, or got back what they had paid; `amount` is negative then.',
  'v1.credit.expired':
    'What was left of prepaid credits has expired, or was taken away; `reason` says which. Where a credit note gives the price of voided credits back, their voiding is undone first; `amount` is negative then.',
  'v1.payment_method.added': 'A payment method was set up.',
  'v1.payment_method.detached': 'A payment method was taken away; it is never charged again.',
  'v1.payment_method.expiring': 'A card can be used for the last time in the month that begins now.',
  'v1.alert.reached':
    'Usage of a customer has reached a step of an alert, or passed a limit that only tells, or its credits have fallen to one; `step` says which.',
  'v1.webhook_endpoint.paused': 'Nothing is sent to a webhook endpoint any more, for the reason it names, until it is opened.',
} as const satisfies Readonly<Record<string, string>>;

/** A type of the list: what kind of thing an event tells. */
export type EventType = keyof typeof EVENT_TYPES;

/** Those of invoices and credits that the timeline of a contract shows too, where these belong to one. */
export type MoneyEventType = 'v1.invoice.paid' | 'v1.payment.succeeded' | 'v1.payment.failed' | 'v1.credit.granted' | 'v1.credit.expired';

/** All other types: the timeline of a contract shows those of the contract itself. */
export type PlainEventType = Exclude<EventType, MoneyEventType>;

/** The types in the order of the list, for the schemas that take or show one. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as [EventType, ...EventType[]];
