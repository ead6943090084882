import { withTestDatabase } from '../support/database.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { vendorCli } from '../support/vendor-cli.ts';

const flat = { pricing_strategy: 'flat' };

/** A customer on a clock at 31 January 2027 with a plan for 29.00 a month. */
async function signed(vendor: TestVendor, clock: string): Promise<string> {
  const { api } = vendor;
  await api.made('/v1/c/preferences/invoicing', { number: { prefix: 'R26-', width: 3 } });
  const plan = await api.made('/v1/c/plan', {
    slug: 'pro',
    internal_name: 'Pro',
    strategy: 'plan',
    pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '29.00', strategy_details: flat } }],
  });
  const customer = await api.made('/v1/c/customer', { name: 'Ada', test_clock: clock });
  return api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
}

describe('clock', () => {
  it('is made, moved to a day, and says when it is next due', async () => {
    const vendor = await newVendor('Clock');
    const made = await vendorCli(vendor, 'clock', 'create', '2027-01-31', '--name', 'demo');
    const clock = made.stdout.trim();
    expect(await vendor.api.read(`/v1/c/test_clock/${clock}`)).toMatchObject({ now: '2027-01-31T00:00:00.000Z', name: 'demo' });
    await signed(vendor, clock);
    expect(await vendorCli(vendor, 'clock', 'list')).toEqual({
      code: 0,
      stdout: `${clock}  2027-01-31T00:00:00.000Z  ready  demo  next due: 2027-02-28T00:00:00.000Z\n`,
      stderr: '',
    });
    const { code, stdout } = await vendorCli(vendor, 'clock', 'advance', clock, '2027-03-01');
    expect([code, stdout]).toEqual([0, `${clock} is at 2027-03-01T00:00:00.000Z; next due: 2027-03-31T00:00:00.000Z\n`]);
    const json = await vendorCli(vendor, 'clock', 'advance', clock, '2027-03-02', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ id: clock, status: 'ready', now: '2027-03-02T00:00:00.000Z' });
  });

  it('ends with 1 and the reason when it cannot go on, goes back, or is not there', async () => {
    const vendor = await newVendor('Failing clock');
    const clock = await vendor.api.made('/v1/c/test_clock', { now: '2027-01-01T00:00:00Z' });
    const contract = await signed(vendor, clock);
    await withTestDatabase((db) => db.query(`update contract set terms = '{}' where id = $1`, [contract]));
    const failed = await vendorCli(vendor, 'clock', 'advance', clock, '2027-06-01');
    const { now, reason } = await vendor.api.read(`/v1/c/test_clock/${clock}`);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`the clock stopped at ${now}: ${reason}\n`) });
    const back = await vendorCli(
      vendor,
      'clock',
      'advance',
      await vendor.api.made('/v1/c/test_clock', { now: '2027-01-01T00:00:00Z' }),
      '2026-12-31',
    );
    expect([back.code, back.stderr]).toEqual([1, expect.stringContaining('  now: must not be before the time of the clock\n')]);
    const unknown = await vendorCli(vendor, 'clock', 'advance', 'Clock_01a1feba-4215-72cd-a310-aa47a669a4cd', '2027-06-01');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('answered 404 test_clock_not_found')]);
  });
});

describe('explain', () => {
  it('says in words how the lines of an invoice came about, by id and by the number that customers see', async () => {
    const vendor = await newVendor('Explain');
    const clock = await vendor.api.made('/v1/c/test_clock', { now: '2027-01-31T00:00:00Z' });
    const contract = await signed(vendor, clock);
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}`);
    const { id, invoice_number } = hits[0].invoice;
    expect(invoice_number.number).toBe('R26-001');
    const explanation = await vendor.api.read(`/v1/c/invoice/${id}/explain`);
    const { code, stdout } = await vendorCli(vendor, 'explain', 'R26-001');
    expect(code).toBe(0);
    expect(stdout).toContain(`Invoice R26-001 of 2027-01-31, 29.00 USD  (${id})\n\nPro (recurring)\n`);
    for (const sentence of explanation.lines[0].sentences) expect(stdout).toContain(`  ${sentence}\n`);
    expect(stdout).toMatch(
      /\nline +before discount +discount +without tax +tax +amount\nPro +29\.00 +0\.00 +29\.00 +0\.00 +29\.00\ntotal +29\.00\n$/,
    );
    const json = await vendorCli(vendor, 'explain', id, '--json');
    expect(JSON.parse(json.stdout)).toEqual({ number: 'R26-001', currency: 'usd', ...explanation });
  });

  it('ends with 1 where no invoice or several have the number', async () => {
    const vendor = await newVendor('Two clocks');
    expect(await vendorCli(vendor, 'explain', '1')).toEqual({ code: 1, stdout: '', stderr: 'there is no invoice with the number 1\n' });
    await signed(vendor, await vendor.api.made('/v1/c/test_clock', { now: '2027-01-31T00:00:00Z' }));
    const { hits } = await vendor.api.read('/v1/c/plan?slug=pro');
    const customer = await vendor.api.made('/v1/c/customer', {
      name: 'Bo',
      test_clock: await vendor.api.made('/v1/c/test_clock', { now: '2027-01-31T00:00:00Z' }),
    });
    await vendor.api.made('/v1/c/contract', { customer, plan: hits[0].id, currency: 'usd', cycle: 'month' });
    const { code, stderr } = await vendorCli(vendor, 'explain', 'R26-001');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^several invoices have the number R26-001, .*: Inv_\S+, Inv_\S+\n$/)]);
  });
});
