import { at } from '../../../billing/calendar/instant.ts';
import { isAbandoned } from '../../../billing/payment/second-step.ts';
import { type ChargeOutcome, NEEDS_ACTION } from '../../../billing/payment/types.ts';

const began = at('2025-06-01');
const waits: ChargeOutcome = { status: 'pending', reference: 'ch_1', askAgainAt: at('2025-06-02'), reason: NEEDS_ACTION };

test.each<[string, ChargeOutcome | null, string, boolean]>([
  ['at 00:59:59.999 waits on', waits, '2025-06-01T00:59:59.999Z', false],
  ['at 01:00 is given up', waits, '2025-06-01T01:00:00Z', true],
  ['a day later is given up', waits, '2025-06-02T00:00:00Z', true],
  ['that waits for its provider is not given up', { ...waits, reason: 'slow' }, '2025-06-02T00:00:00Z', false],
  [
    'that was declined has nothing to give up',
    { status: 'failed', reference: 'ch_1', reason: NEEDS_ACTION, retryable: true },
    '2025-06-02T00:00:00Z',
    false,
  ],
  ['that the provider never got has nothing to give up', null, '2025-06-02T00:00:00Z', false],
])('a charge of 00:00 to be confirmed at the bank %s', (_, outcome, now, isGivenUp) => {
  expect(isAbandoned(outcome, began, at(now))).toBe(isGivenUp);
});
