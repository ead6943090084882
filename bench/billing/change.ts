import { at } from '../../billing/calendar/instant.ts';
import { advance } from '../../billing/contract/advance/advance.ts';
import { planChange } from '../../billing/contract/change/change.ts';
import type { ChargeTrigger, Price } from '../../billing/pricing/price.ts';
import { planOffer, seats, usagePrice } from '../../test/support-billing/catalogue.ts';
import { snapshotOf } from '../../test/support-billing/ledger.ts';
import { signs } from '../../test/support-billing/story.ts';
import { type Measured, measure } from './measure.ts';

/** Ten features: seven with seats, two with usage, one charged once. */
function features(amount: number): Record<string, Price | [ChargeTrigger, Price]> {
  const bought = Array.from(
    { length: 7 },
    (_, index) => [`seats-${index}`, seats(`${amount + index}.95`, '12', { flatFee: '3.50' })] as const,
  );
  return {
    ...Object.fromEntries(bought),
    calls: usagePrice(`0.0${amount}`, { minimum: '100', batch: 100, maximum: '5000' }),
    storage: usagePrice(`0.1${amount}`, { flatFee: '5' }),
    setup: ['first_cycle', seats('99', '1')],
  };
}

/** The rules as a whole: what an estimate and a rollover compute between reading and writing. */
export async function measureContracts(): Promise<Measured[]> {
  const basic = planOffer('basic', { price: '49.95', features: features(4) });
  const pro = planOffer('pro', { price: '149.95', features: features(9) });
  const story = signs('2025-06-01', basic);
  story.uses('2025-06-10', 'calls', '1234');
  const change = at('2025-06-16T10:17:23.123Z');
  const boundary = at('2025-07-01');
  const before = snapshotOf(story.ledger, story.id(), change);
  const due = snapshotOf(story.ledger, story.id(), boundary);
  const request = {
    strategy: 'new_plan' as const,
    offer: pro,
    overrides: {},
    discount: null,
    activation: { type: 'immediate' as const },
    downgradeAllowed: false,
  };
  return [
    await measure('upgrade estimate, 10 features', () => planChange(before, request, change, story.newId)),
    await measure('rollover of a contract, 10 features', () => advance(due, boundary, story.newId)),
  ];
}
