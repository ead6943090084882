import { wakeInstant } from '../../../activities/contract/spread.ts';

const DUE = Date.parse('2026-12-01T00:00:00Z');
const ids = Array.from({ length: 2_000 }, (_, i) => `Cont_${i}`);
const delays = (sharing: number) => ids.map((id) => wakeInstant(id, DUE, sharing) - DUE);

describe('when a workflow wakes for what is due', () => {
  it.each([0, 1, 2, 49])('at the very instant when %i contracts are due at it', (sharing) => {
    expect(new Set(delays(sharing))).toEqual(new Set([0]));
  });

  it.each([
    { sharing: 50, seconds: 1 },
    { sharing: 1_000, seconds: 32 },
    { sharing: 5_000, seconds: 128 },
    { sharing: 10_000, seconds: 480 },
  ])('within $seconds seconds behind it when $sharing are, as many in its first half as in its second', ({ sharing, seconds }) => {
    const late = delays(sharing);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...late)).toBeLessThan(seconds * 1_000);
    const early = late.filter((delay) => delay < seconds * 500).length;
    expect(Math.abs(early - late.length / 2)).toBeLessThan(late.length / 20);
  });

  it('at the same instant again when three more contracts have joined 1,000', () => {
    expect(delays(1_003)).toEqual(delays(1_000));
  });
});
