import fc from 'fast-check';
import { FULL, type Ratio, ratioText, share } from '../../../billing/calendar/ratio.ts';
import { dec, text } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';

const DAY = 86_400_000;
const days = fc.integer({ min: 1, max: 800 }).map((count) => count * DAY);
const wholes = fc.oneof(days, fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
const ratios = wholes.chain((whole) => fc.integer({ min: 0, max: whole }).map((part): Ratio => ({ part, whole })));
const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 24 }))
  .map(([digits, places]) => dec(`${digits}e-${places}`));

test('a share has the digits of one multiplication and one division, whichever ratio was asked for before', () => {
  const plainly = (amount: ReturnType<typeof dec>, { part, whole }: Ratio): string => amount.times(part).div(whole).toString();
  fc.assert(
    fc.property(amounts, fc.array(ratios, { minLength: 1, maxLength: 3 }), (amount, several) => {
      for (const ratio of [...several, ...several.toReversed()]) {
        expect(share(amount, ratio).toString()).toBe(ratio.part === ratio.whole ? amount.toString() : plainly(amount, ratio));
        expect(ratioText(ratio)).toBe(text(dec(ratio.part).div(ratio.whole).toDecimalPlaces(12)));
      }
    }),
    runs(),
  );
});

test.each([
  ['0.00', { part: 0, whole: 31 * DAY }, '0', '0'],
  [
    '599.95',
    { part: 29 * DAY, whole: 31 * DAY },
    '561.24354838709677419354838709677419354838709677419354838709677419354838709677419',
    '0.935483870968',
  ],
  ['12.5', { part: 0, whole: 1_000 }, '0', '0'],
  ['-100', { part: 250, whole: 1_000 }, '-25', '0.25'],
  ['7', FULL, '7', '1'],
])('%s times %j is %s', (amount, ratio, expected, shown) => {
  expect(text(share(dec(amount), ratio))).toBe(expected);
  expect(ratioText(ratio)).toBe(shown);
});

test.each([
  { part: 0, whole: 0 },
  { part: 5, whole: 0 },
  { part: 5, whole: -10 },
  { part: 1, whole: Number.NaN },
])('there is no share by %j', (ratio) => {
  const refused = expect.objectContaining({ problems: [{ field: 'ratio', code: 'empty_whole', message: 'give a whole above zero' }] });
  expect(() => share(dec(1), ratio)).toThrow(refused);
  expect(() => ratioText(ratio)).toThrow(refused);
});
