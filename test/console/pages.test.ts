import { clockOf } from '../support/clock.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const ANSWERS = /%PDF-/;

describe('what the console shows', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let customer: string;
  let clockId: string;
  let first: string;
  let contract: string;
  let invoice: { id: string; invoice_number: { number: string } };

  const planOf = (slug: string, name: string, amount: string): Promise<string> =>
    vendor.api.made('/v1/c/plan', {
      slug,
      internal_name: name,
      strategy: 'plan',
      features: [{ slug: 'calls', name: 'API calls' }],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount, strategy_details: { pricing_strategy: 'flat' } }, features: {} }],
    });

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    await vendor.api.made('/v1/c/preferences/change', { upgrade: { when: 'now', proration: 'difference' } });
    const [basic, pro] = [await planOf('basic', 'Basic', '10.00'), await planOf('pro', 'Pro', '29.00')];
    const clock = await clockOf(vendor, '2025-01-31T00:00:00Z');
    clockId = clock.id;
    customer = await vendor.api.made('/v1/c/customer', {
      name: 'Ada Lovelace',
      emails: { main: 'ada@engines.example' },
      customer_reference: 'crm-4711',
      test_clock: clock.id,
    });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, { notes: 'checked by hand' });
    first = await vendor.api.made('/v1/c/contract', { customer, plan: basic, currency: 'usd', cycle: 'month' });
    contract = await vendor.api.made(`/v1/c/contract/${first}/upgrade`, {
      upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: pro },
    });
    await vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'eur', amount: '12.50', description: 'a credit' });
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${first}`);
    invoice = hits[0].invoice;
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('shows MRR, what was invoiced and what was collected as the reports do, of the customers of one clock', async () => {
    const [mrr] = (await vendor.api.read(`/v1/c/report/mrr?test_clock=${clockId}&from=2025-01-01&to=2025-02-01`)).currencies;
    expect([mrr.end, mrr.expansion]).toEqual(['29.00', '19.00']);
    const text = await visitor.text(`/console?test_clock=${clockId}`);
    expect(text).toContain('Monthly recurring revenue, USD USD 29.00 now');
    expect(text).toMatch(/What changed it, USD New Expansion Contraction Churn Reactivation/);
    expect(text).toMatch(/Jan 25 USD 10\.00 USD 19\.00 USD 0\.00 USD 0\.00 USD 0\.00 USD 29\.00/);
    expect(text).toContain('Invoiced and collected, USD USD 29.00 invoiced this month, without tax USD 0.00 collected this month');
    expect(text).toMatch(/Jan 25 USD 29\.00 USD 0\.00/);
    expect(await visitor.text('/console')).toContain('Nothing was sold yet');
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    expect((await other.get(`/console?test_clock=${clockId}`)).status).toBe(404);
  });

  it('says on the overview what failed payments come to, in all and in the running month', async () => {
    const late = await newVendor('Late payers');
    const plan: string = await late.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '31.00', strategy_details: { pricing_strategy: 'flat' } } }],
    });
    const clock = await clockOf(late, '2025-01-10T00:00:00Z');
    const owing: string = await late.api.made('/v1/c/customer', { name: 'Ben', test_clock: clock.id });
    await late.api.made(`/v1/c/customer/${owing}/activate`, {});
    const { token } = await late.api.made<{ token: string }>(`/v1/c/customer/${owing}/payment/session`, { provider: 'sandbox' });
    await late.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_insufficient_funds' });
    await late.api.made('/v1/c/contract', { customer: owing, plan, currency: 'usd', cycle: 'month' });
    await clock.advanceTo('2025-02-10T12:00:00Z');
    const own = await VendorInConsole.signIn(late.apiKey);
    expect(await own.text(`/console?test_clock=${clock.id}`)).toContain(
      'USD 62.00 of 2 invoices is unpaid because a payment failed; of it USD 31.00 failed this month.',
    );
    expect(await own.text('/console')).toMatch(/Failed payments None\./);
  });

  it('finds by a part of name, e-mail or reference, by the number of an invoice, and by id', async () => {
    for (const part of ['lovel', 'ENGINES', 'crm-47']) expect(await visitor.text(`/console/search?q=${part}`)).toContain('Ada Lovelace');
    expect(await visitor.text(`/console/search?q=${invoice.invoice_number.number}`)).toContain('USD 10.00');
    for (const [id, page] of [
      [customer, 'customer'],
      [contract, 'contract'],
      [invoice.id, 'invoice'],
    ])
      expect((await visitor.get(`/console/search?q=${id}`)).location).toBe(`/console/${page}/${id}`);
    expect(await visitor.text('/console/search?q=lo')).toContain('only whole references');
    expect(await visitor.text('/console/search?q=')).toContain('Nothing was found');
  });

  it('shows a customer with contracts, invoices, wallet and history', async () => {
    const text = await visitor.text(`/console/customer/${customer}`);
    for (const words of [
      'Ada Lovelace',
      'active',
      customer,
      'ada@engines.example',
      'crm-4711',
      'Pro',
      'USD 29.00 a month',
      'EUR 12.50',
      'checked by hand',
    ])
      expect(text).toContain(words);
    expect(text).toMatch(/Test clock 31 January 2025/);
    expect((await visitor.page(`/console/customer/${customer}`)).html).toContain(`href="/console/invoice/${invoice.id}"`);
  });

  it('shows where a customer’s credits come from, and what watches credits and usage with what was reached', async () => {
    const clock = await clockOf(vendor, '2025-03-01T00:00:00Z');
    const metered: string = await vendor.api.made('/v1/c/plan', {
      slug: 'watched',
      internal_name: 'Watched',
      strategy: 'plan',
      features: [{ slug: 'hits', name: 'Hits' }],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          price: { amount: '5.00', strategy_details: { pricing_strategy: 'flat' } },
          features: {
            hits: {
              amount: '0.10',
              strategy_details: { pricing_strategy: 'usage', unit_name: 'hit', over_usage_charge_strategy: 'extra_usage_overcharge' },
            },
          },
        },
      ],
    });
    const watched: string = await vendor.api.made('/v1/c/customer', {
      name: 'Wes',
      test_clock: clock.id,
      configuration: { automatic_payment: false, invoice_threshold: '200' },
    });
    const of = `/v1/c/customer/${watched}`;
    await vendor.api.made(`${of}/activate`, {});
    await vendor.api.made('/v1/c/contract', { customer: watched, plan: metered, currency: 'usd', cycle: 'month' });
    const window = { feature_slug: 'hits', action: 'refuse' };
    await vendor.api.made(`${of}/limit`, { ...window, units: '1000', window: 'period' });
    await vendor.api.made(`${of}/limit`, { ...window, units: '500', window: 'day' });
    await vendor.api.made(`${of}/alert`, { on: 'usage', feature_slug: 'hits', at: ['100', '900'] });
    await vendor.api.made(`${of}/top_up`, { currency: 'usd', below: '10', amount: '50', price: '45', at_most_per_month: '90' });
    await vendor.api.made('/v1/c/credit_grant', { customer: watched, currency: 'usd', amount: '30', kind: 'promotional' });
    await vendor.api.made('/v1/c/usage', { customer_id: watched, feature_slug: 'hits', units: '120' });
    const text = await visitor.text(`/console/customer/${watched}`);
    expect(text).toMatch(/Prepaid credits Credits From .* gift active/);
    expect(text).toMatch(/Top-ups .* USD 10\.00 active USD 50\.00 USD 45\.00 USD 90\.00/);
    expect(text).toContain('hits 120 1,000 billing period refuse');
    expect(text).toContain('hits 120 500 day refuse');
    expect(text).toContain('usage hits 100 reached 900 In each billing period');
    expect(text).toContain('Invoice thresholds Watched USD 200.00 given with the customer New contracts 200 given with the customer');
    expect(await visitor.text(`/console/customer/${customer}`)).not.toMatch(/Top-ups|Alerts|Usage limits|Invoice thresholds/);
  });

  it('shows a contract with what happens next, its rules and where they come from, and the chain of changes', async () => {
    const page = await visitor.page(`/console/contract/${contract}`);
    expect(page.text).toContain('The next billing period begins 28 February 2025');
    expect(page.text).toMatch(/Next invoice: 28 February 2025 .* Total USD 29\.00/);
    expect(page.text).toContain('To a dearer plan at once the difference at once to the wallet your preferences');
    expect(page.text).toContain('To a cheaper plan next cycle by time at once to the wallet default');
    expect(page.html).toContain(`href="/console/contract/${first}"`);
    expect(await visitor.text(`/console/contract/${first}`)).toContain('v1.contract.change.completed');
  });

  it('plots what was used in each billing period of a contract, with its table', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const plan: string = await vendor.api.made('/v1/c/plan', {
      slug: 'metered',
      internal_name: 'Metered',
      strategy: 'feature',
      features: [{ slug: 'mails', name: 'Mails' }],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          features: { mails: { amount: '0.10', strategy_details: { pricing_strategy: 'usage', unit_name: 'mail' } } },
        },
      ],
    });
    const sender: string = await vendor.api.made('/v1/c/customer', { name: 'Sender', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${sender}/activate`, {});
    const signed: string = await vendor.api.made('/v1/c/contract', { customer: sender, plan, currency: 'usd', cycle: 'month' });
    expect((await visitor.page(`/console/contract/${signed}`)).html).not.toContain('<svg');
    for (const [units, next] of [
      ['1200', '2025-02-01T00:00:00Z'],
      ['300', '2025-03-01T00:00:00Z'],
    ]) {
      await vendor.api.made('/v1/c/usage', { customer_id: sender, feature_slug: 'mails', units });
      await clock.advanceTo(next ?? '');
    }
    const { html, text } = await visitor.page(`/console/contract/${signed}`);
    expect(text).toContain('Usage of the last billing periods Mails, by period');
    expect(text).toContain('3 periods from 1 January 2025 to 1 March 2025: least 0, most 1,200 mail.');
    expect(text).toMatch(/0 mail 1 February 2025 – 1 March 2025 300 mail 1 January 2025 – 1 February 2025 1,200 mail/);
    expect(html.match(/<rect class="plot-bar plot-main/g)).toHaveLength(2);
  });

  it('links to the workflow of the whole chain, where the address of the Temporal UI is known', async () => {
    const { temporalUi } = await servers();
    const { html } = await visitor.page(`/console/contract/${contract}`);
    if (temporalUi === null) expect(html).not.toContain('/namespaces/');
    else expect(html).toContain(`href="${temporalUi}/namespaces/default/workflows/${first}"`);
  });

  it('shows an invoice with its lines explained, and prints it', async () => {
    const page = await visitor.page(`/console/invoice/${invoice.id}`);
    expect(page.text).toContain(`Invoice ${invoice.invoice_number.number}`);
    expect(page.text).toMatch(/How it came about .*10\.00/);
    const explained = await vendor.api.read(`/v1/c/invoice/${invoice.id}/explain`);
    const { sentences }: { sentences: string[] } = explained.lines[0];
    expect(sentences.some((sentence) => sentence.includes('2025-01-31T00:00:00.000Z'))).toBe(true);
    for (const sentence of sentences.filter((one) => !one.includes('T00:00'))) expect(page.text).toContain(sentence);
    expect(page.text).toContain('For 31 January 2025 to 28 February 2025.');
    expect(page.text).not.toContain('T00:00');
    const pdf = await visitor.page(`/console/invoice/${invoice.id}/pdf`);
    expect([pdf.headers.get('content-type'), pdf.html]).toEqual(['application/pdf', expect.stringMatching(ANSWERS)]);
  });

  it('sums up the tax of all lines, where not all of them are shown', async () => {
    const taxed = await newVendor('Long invoices');
    await taxed.api.made('/v1/c/preferences/tax', { rates: [{ country: 'AT', rate: '0.20' }], policy: 'tax_excluded' });
    const slugs = Array.from({ length: 101 }, (_, n) => `part_${n}`);
    const flat = { amount: '1.00', strategy_details: { pricing_strategy: 'flat' } };
    const plan: string = await taxed.api.made('/v1/c/plan', {
      slug: 'parts',
      internal_name: 'Parts',
      strategy: 'feature',
      features: slugs.map((slug) => ({ slug, name: slug, charge_trigger: 'every_cycle' })),
      pricings: [{ currency: 'usd', cycle: 'month', features: Object.fromEntries(slugs.map((slug) => [slug, flat])) }],
    });
    const address = { line_1: 'Ring 1', city: 'Wien', zip: '1010', country: 'AT' };
    const buyer: string = await taxed.api.made('/v1/c/customer', { name: 'Wien', addresses: { main: address } });
    await taxed.api.made(`/v1/c/customer/${buyer}/activate`, {});
    const signed: string = await taxed.api.made('/v1/c/contract', { customer: buyer, plan, currency: 'usd', cycle: 'month' });
    const [hit] = (await taxed.api.read(`/v1/c/invoice?customer=${buyer}`)).hits;
    const reader = await VendorInConsole.signIn(taxed.apiKey);
    expect(await reader.text(`/console/invoice/${hit.invoice.id}`)).toMatch(
      /The invoice has 101 lines in all; the sums are of all of them\. Next lines Tax USD 20\.20 Total USD 121\.20/,
    );
    const names = ({ html }: { html: string }): string[] => [...html.matchAll(/<div>(part_\d+)\b/g)].map(([, name = '']) => name);
    const pages = [await reader.page(`/console/invoice/${hit.invoice.id}`)];
    const [, next = ''] = /href="([^"]+)">Next lines</.exec(pages[0]?.html ?? '') ?? [];
    pages.push(await reader.page(next));
    expect(pages.map((page) => names(page).length)).toEqual([100, 1]);
    expect(new Set(pages.flatMap(names))).toEqual(new Set(slugs));
    expect((await reader.get(`/console/invoice/${hit.invoice.id}?after=Item_of_nobody`)).status).toBe(404);
    expect(await reader.text(`/console/contract/${signed}`)).toMatch(/51 further lines come with it\. Tax USD 20\.20 Total USD 121\.20/);
  });

  it('shows bought credits, whose invoice belongs to no contract', async () => {
    const buyer: string = await vendor.api.made('/v1/c/customer', { name: 'Prepaid' });
    await vendor.api.made(`/v1/c/customer/${buyer}/activate`, {});
    const bought = { customer: buyer, currency: 'usd', amount: '100', price: '80', kind: 'purchased' };
    const grant: string = await vendor.api.made('/v1/c/credit_grant', bought);
    const { invoice_id } = await vendor.api.read(`/v1/c/credit_grant/${grant}`);
    const page = await visitor.text(`/console/invoice/${invoice_id}`);
    expect(page).toContain('Prepaid credits');
    expect(page).not.toMatch(/Contract(?!s)/);
    expect(await visitor.text(`/console/invoices?customer=${buyer}`)).toContain('USD 80.00');
    const desk = await visitor.text(`/console/customer/${buyer}`);
    expect(desk).toMatch(/USD 80\.00 USD 80\.00/);
    expect(desk).toMatch(/awaiting payment – USD 100\.00 USD 0\.00/);
  });

  it('names the prepaid credits that paid an invoice', async () => {
    const buyer: string = await vendor.api.made('/v1/c/customer', { name: 'Gifted' });
    await vendor.api.made(`/v1/c/customer/${buyer}/activate`, {});
    const granted = { customer: buyer, currency: 'usd', amount: '100', kind: 'promotional', description: 'For the outage' };
    const grant: string = await vendor.api.made('/v1/c/credit_grant', granted);
    const plan = await planOf('gifted', 'Gifted', '10.00');
    await vendor.api.made('/v1/c/contract', { customer: buyer, plan, currency: 'usd', cycle: 'month' });
    const [{ invoice: paid }] = (await vendor.api.read(`/v1/c/invoice?customer=${buyer}`)).hits;
    expect(await visitor.text(`/console/invoice/${paid.id}`)).toContain(`For the outage ${grant} succeeded`);
  });

  it('shows payments and credit notes of an invoice', async () => {
    await vendor.api.made(`/v1/c/invoice/${invoice.id}/pay`, { method: 'manual', reference: 'wire 17' });
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${first}`);
    const item = hits[0].invoice_items[0].id;
    await vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, {
      items: [{ invoice_item_id: item, amount: '4.00' }],
      notes: 'too much',
      to: 'wallet',
    });
    const page = await visitor.page(`/console/invoice/${invoice.id}`);
    expect(page.text).toContain('Recorded by hand wire 17 succeeded');
    expect(page.text).toMatch(/Credit note 1 \(PDF\) .* too much To the wallet: USD 4\.00 USD 4\.00/);
    const [, pdf = ''] = /href="(\/console\/credit_note\/[^"]+)"/.exec(page.html) ?? [];
    expect((await visitor.page(pdf)).html).toMatch(ANSWERS);
  });

  it('shows the logs of the vendor, newest first, by object, type and who', async () => {
    const events = await visitor.text(`/console/events?object=${first}`);
    expect(events).toContain('v1.contract');
    expect(await visitor.text('/console/events?type=v1.invoice.created')).not.toContain('v1.contract');
    const audit = await visitor.text(`/console/audit?object=${first}`);
    expect(audit).toContain('upgrade');
    expect(audit).toContain('API key');
    expect(await visitor.text('/console/audit?actor=portal')).toContain('None.');
  });

  it('goes on with older rows, and back to the newest', async () => {
    const lists = await newVendor('Lists');
    const names = Array.from({ length: 26 }, (_, n) => `Customer ${String(n).padStart(2, '0')}`);
    for (const name of names) await lists.api.made('/v1/c/customer', { name });
    const reader = await VendorInConsole.signIn(lists.apiKey);
    const newest = await reader.page('/console/customers');
    expect([newest.text.includes('Customer 25'), newest.text.includes('Customer 00')]).toEqual([true, false]);
    const [, older = ''] = /href="(\/console\/customers\?after=[^"]+)"/.exec(newest.html) ?? [];
    const second = await reader.page(older);
    expect([second.text.includes('Customer 25'), second.text.includes('Customer 00')]).toEqual([false, true]);
    expect(second.html).toContain('href="/console/customers"');
    expect(await reader.text('/console/customers?search=omer%2007')).toContain('Customer 07');
    expect(await reader.text('/console/customers?status=inactive')).toContain('None.');
  });

  it('speaks German where the browser does', async () => {
    const { html } = await visitor.get('/console/customers');
    expect(html).toContain('<html lang="en">');
    await visitor.post('/console/language', { language: 'de', to: '/console/customers' });
    expect((await visitor.page('/console/customers')).text).toContain('Kunden');
    await visitor.post('/console/language', { language: 'en', to: '/console' });
  });
});
