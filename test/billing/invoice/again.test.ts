import { at } from '../../../billing/calendar/instant.ts';
import { firstKey, keyAgain, type VoidedLine, whyNotAgain } from '../../../billing/invoice/again.ts';
import { dec, ZERO } from '../../../billing/money/decimal.ts';

const line = (more: Partial<VoidedLine['line']>): VoidedLine['line'] => ({
  ...{ id: 'Item_1', contractId: 'Cont_1', kind: 'recurring', source: 'plan', creditOf: null, periodIdx: 1, derivation: {} },
  ...more,
});
const voided = (more: Partial<VoidedLine>): VoidedLine => ({
  ...{ line: line({}), isTaken: false, since: [], end: at('2025-02-01'), ended: null },
  ...more,
});
const usage = line({ kind: 'usage', source: 'feature:calls' });
const part = (number: number, ...before: number[]): VoidedLine['line'] => ({
  ...usage,
  id: `Item_${number}`,
  derivation: { soFar: true, part: { number, sums: [] }, ...(before.length === 0 ? {} : after(...before)) },
});
const after = (...lines: number[]) => {
  const upTo = Math.max(...lines);
  const without = Array.from({ length: upTo }, (_, index) => index + 1).filter((number) => !lines.includes(number));
  return { billed: { places: [{ contractId: 'Cont_1', idx: 1, upTo, without }] } };
};
/** Made when the part of the contract before was voided. */
const inSecond = {
  id: 'Item_3',
  derivation: {
    billed: {
      places: [
        { contractId: 'Cont_1', idx: 1, upTo: 1, without: [1] },
        { contractId: 'Cont_2', idx: 1, upTo: 1 },
      ],
    },
  },
};
/** Of usage of 10.00, the only one. */
const only = { line: { ...usage, kind: 'correction' as const, derivation: { charged: '10.00' } }, isOnlyCorrection: true };
const credit = line({ kind: 'credit', creditOf: 'Item_0' });

test.each<[string, VoidedLine, string | null]>([
  ['of a live contract', voided({}), null],
  ['that was invoiced again', voided({ isTaken: true }), 'was invoiced again already'],
  ['of a contract that ended with its time', voided({ ended: at('2025-02-01') }), null],
  ['of a contract that ended within its time', voided({ ended: at('2025-01-16') }), 'is for time after the end of its contract'],
  ['of usage', voided({ line: usage, ended: at('2025-01-16') }), null],
  [
    'of usage that was corrected',
    voided({ line: usage, since: [{ ...usage, id: 'Item_2', kind: 'correction' }] }),
    'is charged by a correction',
  ],
  ['of a correction of 10.00, which are still charged', voided({ ...only, charged: dec('10'), since: [usage] }), null],
  ['of a correction of 10.00, of which nothing is charged', voided({ ...only, charged: ZERO }), 'is charged by a correction'],
  ['of a correction of 10.00, beside 15.00', voided({ ...only, charged: dec('15') }), 'is charged by a correction'],
  ['of one of several corrections', voided({ ...only, isOnlyCorrection: false, charged: dec('10') }), 'is charged by a correction'],
  ['of usage beside that of another feature', voided({ line: usage, since: [{ ...usage, id: 'Item_2', source: 'feature:mails' }] }), null],
  ['of a part of usage that nothing has come after', voided({ line: part(1) }), 'is charged with what is left of its usage period'],
  ['of a part that the closing took off', voided({ line: part(1), since: [part(2, 1)] }), null],
  ['of the closing after a part', voided({ line: { ...usage, derivation: after(2) }, since: [part(2)] }), null],
  [
    'of a part whose amount a later one has charged',
    voided({
      line: part(1),
      since: [
        { ...part(1, 1), id: 'Item_2', contractId: 'Cont_2' },
        { ...usage, ...inSecond, contractId: 'Cont_2' },
      ],
    }),
    'is charged with what is left of its usage period',
  ],
  ['of a credit', voided({ line: credit }), null],
  ['of a credit that came once more', voided({ line: credit, since: [{ ...credit, id: 'Item_2' }] }), 'is given back by another item'],
])('a voided line %s', (_of, one, expected) => {
  expect(whyNotAgain(one)).toBe(expected);
});

test('each line that is invoiced again has the next key: of cycle:2:plan first cycle:2:plan:again:1, then …:2', () => {
  expect(keyAgain('cycle:2:plan')).toBe('cycle:2:plan:again:1');
  expect(keyAgain('cycle:2:plan:again:1')).toBe('cycle:2:plan:again:2');
  expect(['cycle:2:plan', 'cycle:2:plan:again:2'].map(firstKey)).toEqual(['cycle:2:plan', 'cycle:2:plan']);
});
