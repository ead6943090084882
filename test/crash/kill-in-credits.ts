import type { PartName } from '../../local-stack/part.ts';
import type { AnyJson } from '../support/api.ts';
import type { OwnStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';
import { killUnderWay, type Story, setOff, stackOfFile, whenDone } from './kit.ts';

let stack: OwnStack;

const calls = { amount: '1', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } };
const flat = { amount: '100.00', strategy_details: { pricing_strategy: 'flat' } };

/** A customer on a clock of 1 January 2024 with credits of a plan each month, of which some are used in the first. */
async function signWithCredits(vendor: TestVendor): Promise<Story & { customer: string }> {
  const credits = { amount: '50', expires_after_cycles: 1, rollover_maximum: '20' };
  const plan = await vendor.api.made('/v1/c/plan', {
    slug: 'pro',
    internal_name: 'Pro',
    strategy: 'plan',
    features: [{ slug: 'calls', name: 'Calls' }],
    pricings: [{ currency: 'usd', cycle: 'month', price: flat, features: { calls }, credits }],
  });
  const clock = await vendor.api.made('/v1/c/test_clock', { now: '2024-01-01T00:00:00Z' });
  const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock });
  const terms = { usage_period_closing_policy: '1 day' };
  const contract = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', ...terms });
  await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '35' });
  return { vendor, clock, contract, customer };
}

/** What is left of each grant, what was used, and what is due, in the order of time. */
async function creditsOf({ vendor, customer, contract }: Story & { customer: string }): Promise<AnyJson> {
  const { grants, uses, settled } = await vendor.api.read(`/v1/c/customer/${customer}/credit?currency=usd`);
  const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}&limit=100`);
  return {
    settled,
    grants: grants
      .map(({ amount, left, status, effective_at, expires_at }: AnyJson) => [amount, left, status, effective_at, expires_at])
      .sort(),
    uses: uses.map(({ amount, at }: AnyJson) => [amount, at]),
    due: hits.map(({ invoice, amount_due }: AnyJson) => [invoice.date, invoice.total, amount_due]).sort(),
  };
}

describe('credits of a plan over 12 months in one step of the clock', () => {
  beforeAll(async () => {
    stack = await stackOfFile();
  });

  it.each<PartName>(['worker', 'api'])('are the same where the %s is killed with -9 between use and closing', async (part) => {
    const killed = await signWithCredits(await stack.newVendor());
    const undisturbed = await signWithCredits(await stack.newVendor());
    await killUnderWay(stack, killed, '2025-01-01T00:00:00Z', { part, all: 13 });
    await stack.restart(part);
    await whenDone(killed);
    await setOff(undisturbed, '2025-01-01T00:00:00Z');
    await whenDone(undisturbed);
    const credits = await creditsOf(killed);
    expect(credits.uses.map(([amount]: [string]) => amount)).toEqual(['35.00']);
    expect(credits.grants).toHaveLength(24);
    expect(credits).toEqual(await creditsOf(undisturbed));
  });
});
