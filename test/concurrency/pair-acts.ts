import { NEVER_MADE } from '../../db/payment/never-made.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import type { TestVendor } from '../support/vendor.ts';

/** One customer in the middle of a month, with something for every act. */
export interface Standing {
  customer: string;
  contract: string;
  /** 79.00, open */
  open: string;
  openItem: string;
  /** 7.00, paid by card */
  paid: string;
  paidItem: string;
  /** of another contract, not validated */
  draft: string;
  grant: string;
  reservation: string;
  event: string;
}

export interface Plans {
  basic: string;
  big: string;
  byHand: string;
}

/** The plan's own contract; calls come to 0.0295 each in packs of 100. */
export async function standing({ api }: TestVendor, plans: Plans): Promise<Standing> {
  const clock = await clockOf({ api }, '2026-06-01T00:00:00Z');
  const customer = await api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
  await api.made(`/v1/c/customer/${customer}/activate`, {});
  const { token } = await api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, {});
  await api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
  const sign = (plan: string, words: AnyJson) =>
    api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', automatic_payment: false, ...words });
  const contract = await sign(plans.basic, {});
  const byHand = await sign(plans.byHand, { invoice_trigger: 'manual' });
  const event = await api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '150' });
  await clock.advanceTo('2026-06-16T00:00:00Z');
  await api.made(`/v1/c/contract/${contract}/charge`, { feature_slug: 'report' });
  const { hits } = await api.read(`/v1/c/invoice?contract=${contract}`);
  const [open, paid] = hits.map(({ invoice }: AnyJson) => invoice.id);
  await api.made(`/v1/c/invoice/${paid}/pay`, {});
  const [draft = ''] = await api.made<string[]>('/v1/c/invoice', { contract_id: byHand });
  const grant = await api.made('/v1/c/credit_grant', { customer, currency: 'usd', amount: '20', kind: 'promotional' });
  const check = { feature_slug: 'calls', units: '100', reserve_seconds: 3600 };
  const { reservation } = await api.made<{ reservation: string }>(`/v1/c/entitlement/${customer}/check`, check);
  const [openItem, paidItem] = hits.map(({ invoice_items: [item] }: AnyJson) => item.id);
  return { customer, contract, open, openItem, paid, paidItem, draft, grant, reservation, event };
}

type Act = (of: Standing, plans: Plans) => readonly [path: string, body: unknown];

const unitsTo = (seats: string) => ({
  upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats } },
});
const wallet =
  (amount: string): Act =>
  ({ customer }) => [`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount, description: 'by hand' }];
const creditNote = (invoice: string, invoice_item_id: string, amount: string | null, to: string) =>
  [`/v1/c/invoice/${invoice}/credit_note`, { items: [{ invoice_item_id, ...(amount === null ? {} : { amount }) }], to }] as const;
const usage =
  (words: AnyJson): Act =>
  ({ customer }) => ['/v1/c/usage', { customer_id: customer, feature_slug: 'calls', ...words }];

/** What a vendor may call at any moment. */
export const ACTS = {
  'more seats': ({ contract }) => [`/v1/c/contract/${contract}/upgrade`, unitsTo('9')],
  'fewer seats': ({ contract }) => [`/v1/c/contract/${contract}/upgrade`, { ...unitsTo('2'), downgrade_allowed: true }],
  'a change behind a gate': ({ contract }, { big }) => [
    `/v1/c/contract/${contract}/upgrade`,
    { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: big }, payment_gate: { expires_in_hours: 2 } },
  ],
  'a cancellation': ({ contract }) => [`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' }, credit: true }],
  'a charge': ({ contract }) => [`/v1/c/contract/${contract}/charge`, { feature_slug: 'report' }],
  'an early close': ({ contract }) => [`/v1/c/contract/${contract}/usage_period/1/close`, {}],
  'a freeze': ({ customer }) => [`/v1/c/customer/${customer}/inactivate`, {}],
  'a payment by card': ({ open }) => [`/v1/c/invoice/${open}/pay`, {}],
  'a payment by hand': ({ open }) => [`/v1/c/invoice/${open}/pay`, { method: 'manual' }],
  'a credit note': ({ open, openItem }) => creditNote(open, openItem, null, 'wallet'),
  'a refund': ({ paid, paidItem }) => creditNote(paid, paidItem, '4', 'payment'),
  'a credit note of what is paid': ({ paid, paidItem }) => creditNote(paid, paidItem, '4', 'wallet'),
  'a validation': ({ draft }) => [`/v1/c/invoice/${draft}/validate`, {}],
  'a void': ({ draft }) => [`/v1/c/invoice/${draft}/void`, {}],
  'money for the wallet': wallet('90'),
  'money from the wallet': wallet('-5'),
  'credits that are voided': ({ grant }) => [`/v1/c/credit_grant/${grant}/void`, {}],
  usage: usage({ units: '120' }),
  'a marker': usage({ units: '7', is_absolute: true }),
  'a discard': ({ event }) => [`/v1/c/usage/${event}/discard`, {}],
  'a confirmation': ({ reservation }) => [`/v1/c/reservation/${reservation}/confirm`, { units: '60' }],
  'a release': ({ reservation }) => [`/v1/c/reservation/${reservation}/release`, {}],
} as const satisfies Record<string, Act>;

export type ActName = keyof typeof ACTS;

/** What a customer owes, has and may use, without ids: two that were treated alike have the same. */
export async function figuresOf(api: Api, { customer }: Standing): Promise<AnyJson> {
  const [contracts, invoices, money, credit, billing, access] = await Promise.all([
    api.read(`/v1/c/contract?customer=${customer}`),
    api.read(`/v1/c/invoice?customer=${customer}`),
    api.read(`/v1/c/customer/${customer}/wallet`),
    api.read(`/v1/c/customer/${customer}/credit?currency=usd`),
    api.read(`/v1/c/entitlement/${customer}/billing`),
    api.read(`/v1/c/entitlement/${customer}/access`),
  ]);
  const details = await Promise.all(invoices.hits.map(({ invoice }: AnyJson) => api.read(`/v1/c/invoice/${invoice.id}`)));
  const periods = await Promise.all(contracts.hits.map(({ id }: AnyJson) => api.read(`/v1/c/contract/${id}/usage_period`)));
  return alike({
    customer: billing.customer.status,
    contracts: contracts.hits.map(({ status, amount, plan }: AnyJson) => ({ status, amount, plan })),
    invoices: details.map(({ invoice, invoice_items, amount_due, payments, credit_notes }: AnyJson) => ({
      ...{ status: invoice.status, total: invoice.total, amount_due },
      lines: invoice_items.map(({ name, unit_count, subtotal }: AnyJson) => ({ name, unit_count, subtotal })),
      payments: payments.filter(wasMade).map(({ amount, method, status }: AnyJson) => ({ amount, status, byHand: method === 'manual' })),
      notes: credit_notes.map(({ total, to }: AnyJson) => ({ total, to })),
    })),
    wallet: money.balances.map(({ balance, held }: AnyJson) => ({ balance, held })),
    credit: { settled: credit.settled, live: credit.live, grants: credit.grants.map(({ left, status }: AnyJson) => ({ left, status })) },
    usage: periods.map(({ hits }) => hits.map(({ status, features }: AnyJson) => ({ status, features }))),
    features: access.plan?.features ?? null,
    neverMade: details.flatMap(({ payments }) => payments).filter((payment: AnyJson) => !wasMade(payment)).length,
  });
}

/** A payment whose invoice was paid, or whose customer was frozen, before the provider was asked for it wasn't made. */
const wasMade = ({ reason }: AnyJson): boolean => !NEVER_MADE.includes(reason);

/** Lists in one order, whichever row was written first, and nothing that names a row. */
function alike(value: AnyJson): AnyJson {
  if (Array.isArray(value)) return value.map(alike).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !name.endsWith('_id'));
  return Object.fromEntries(kept.map(([name, entry]) => [name, alike(entry)]));
}
