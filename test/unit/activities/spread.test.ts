import { wakeInstant } from '../../../activities/contract/spread.ts';

const DUE = Date.parse('2026-12-01T00:00:00Z');
const ids = Array.from({ length: 2_000 }, (_, i) => `Cont_${i}`);
const delays = (sharing: number) => ids.map((id) => wakeInstant(id, DUE, sharing) - DUE);

describe('when a workflow wakes for what is due', () => {
  it.each([0, 1, 2, 49])('at the very instant when %i contracts are due at it', (sharing) => {
    expect(new Set(delays(sharing))).toEqual(new Set([0]));
  });

  it.each([
    { sharing: 50, from: 62, until: 1_000 },
    { sharing: 1_000, from: 2_000, until: 32_000 },
    { sharing: 5_000, from: 8_000, until: 128_000 },
    { sharing: 10_000, from: 30_000, until: 480_000 },
  ])(
    'from $from ms, when they are carried, to $until ms behind it when $sharing are, as many in the first half as in the second',
    (window) => {
      const { sharing, from, until } = window;
      const late = delays(sharing);
      expect(Math.min(...late)).toBeGreaterThanOrEqual(from);
      expect(Math.max(...late)).toBeLessThan(until);
      const early = late.filter((delay) => delay < (from + until) / 2).length;
      expect(Math.abs(early - late.length / 2)).toBeLessThan(late.length / 20);
    },
  );

  it('at the same instant again when three more contracts have joined 1,000', () => {
    expect(delays(1_003)).toEqual(delays(1_000));
  });
});
