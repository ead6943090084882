import { setTimeout as pause } from 'node:timers/promises';
import { type InvoiceHit, Perennial, PerennialError, type UpgradeRequest } from '@perennial/client';

/** What a vendor does every day, from the first contract to a credit note, on a test clock. Prints what came of it. */
const perennial = new Perennial({ baseUrl: process.env.PERENNIAL_URL ?? '', apiKey: process.env.PERENNIAL_API_KEY ?? '' });

const seats = (count: string): UpgradeRequest => ({
  upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: count } },
});
const totals = (hits: readonly InvoiceHit[]): string[] => hits.map(({ invoice }) => `${invoice.date.slice(0, 10)} ${invoice.total}`);

const plan = await perennial.savePlan({
  slug: 'everyday',
  internal_name: 'Pro 2026',
  external_name: 'Pro',
  strategy: 'plan',
  features: [
    { slug: 'seats', name: 'Seats' },
    { slug: 'calls', name: 'API calls' },
  ],
  pricings: [
    {
      currency: 'usd',
      cycle: 'month',
      price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } },
      features: {
        seats: {
          amount: '5.00',
          strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1' },
        },
        calls: {
          amount: '0.0006',
          strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' },
        },
      },
    },
  ],
});
const clock = await perennial.createTestClock({ now: '2026-01-31T00:00:00Z' });
const customer = await perennial.saveCustomer({ name: 'Ada Lovelace', emails: { main: 'ada@example.com' }, test_clock: clock });
await perennial.activateCustomer(customer);
await addMethod('sandbox_ok');

// a contract, under a key of the vendor's own: the second call is the same one
const signing = { customer, plan, currency: 'usd', cycle: 'month' } as const;
const contract = await perennial.signContract(signing, { idempotencyKey: `order-${customer}` });
const again = await perennial.signContract(signing, { idempotencyKey: `order-${customer}` });
const refused = await perennial.signContract(signing).then(() => null, codeOf);

// a month passes
await perennial.reportUsage({ customer_id: customer, feature_slug: 'calls', units: '12000' });
const access = await perennial.getAccessEntitlement(customer);
await perennial.advanceTo(clock, '2026-02-28T00:00:00Z');
const invoices = await perennial.listInvoices({ contract, limit: 1 }).all();
const newestFirst = await perennial.listInvoices({ contract, limit: 1, direction: 'backward' }).all();

// down later, canceled later, and both taken back
const successor = await perennial.upgradeContract(contract, seats('2'));
await perennial.undoContractChange(contract);
await perennial.cancelContract(contract, { when: { type: 'end_of_cycle' } });
await perennial.undoContractCancellation(contract);
const upcoming = await perennial.getUpcomingInvoice(contract);
const estimate = await perennial.estimateUpgrade(contract, seats('5'));

// frozen and back
await perennial.freezeCustomer(customer, { notes: 'on leave' });
const { status: whileFrozen } = await perennial.getCustomer(customer);
await perennial.activateCustomer(customer);

// a card is declined, a new one pays
await addMethod('sandbox_declined', true);
await perennial.advanceTo(clock, '2026-04-01T00:00:00Z');
const [open] = await perennial.listInvoices({ contract, status: 'ready_for_payment' }).all();
const invoiceId = open?.invoice.id ?? '';
const { payments } = await perennial.getInvoice(invoiceId);
const gated = { ...seats('4'), payment_gate: { expires_in_hours: 24 } };
const declined = await perennial.upgradeContract(contract, gated).then(() => null, codeOf);
await addMethod('sandbox_ok', true);
await paid(invoiceId);

// money back, and why
const { invoice_items } = await perennial.getInvoice(invoiceId);
const item = invoice_items.find(({ subtotal }) => Number(subtotal) > 0)?.id ?? '';
await perennial.createCreditNote(invoiceId, { items: [{ invoice_item_id: item, amount: '10.00' }], to: 'wallet' });
await perennial.createWalletTransaction(customer, { currency: 'usd', amount: '25.00', description: 'Thank you' });
const wallet = await perennial.getWallet(customer);
const explanation = await perennial.explainInvoice(invoiceId);
const pdf = await perennial.getInvoicePdf(invoiceId);
const mrr = await perennial.reportMrr({ from: '2026-01-01', to: '2027-01-01', test_clock: clock });
const { next } = await perennial.getContractTimeline(contract);
const portal = await perennial.authenticateCustomer({ id: customer });

console.log(
  JSON.stringify({
    signedOnce: contract === again,
    refused,
    features: access.plan?.features.map(({ slug }) => slug),
    invoices: totals(invoices),
    newestFirst: totals(newestFirst),
    successor: successor !== contract,
    upcoming: upcoming.invoice?.total,
    estimate: estimate.upgrade_cost_breakdown.total,
    whileFrozen,
    declined,
    payments: payments.map(({ status, reason }) => `${status} ${reason}`),
    wallet: wallet.balances.map(({ currency, balance }) => `${currency} ${balance}`),
    sentences: explanation.lines.at(-1)?.sentences.length,
    pdf: new TextDecoder().decode(pdf.subarray(0, 5)),
    mrr: mrr.currencies.map(({ currency, end }) => `${currency} ${end}`),
    next: next.map(({ at, what }) => `${at.slice(0, 10)} ${what}`),
    portal: new URL(portal).pathname,
  }),
);

async function addMethod(payment_method: string, detach_previous_on_success = false): Promise<void> {
  const { token } = await perennial.createPaymentSession(customer, { detach_previous_on_success });
  await perennial.confirmPaymentSession(token, { payment_method });
}

/** The worker collects as soon as a new card is the default. */
async function paid(id: string): Promise<void> {
  while ((await perennial.getInvoice(id)).invoice.status !== 'paid') await pause(100);
}

function codeOf(error: unknown): string {
  if (error instanceof PerennialError) return error.code;
  throw error;
}
