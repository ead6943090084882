import { wakeInstant } from '../../../temporal/schedule.ts';

const ALIGNED = Date.parse('2026-12-01T00:00:00Z');
const OWN = Date.parse('2026-12-01T10:20:30.456Z');
const ids = Array.from({ length: 2_000 }, (_, i) => `Cont_${i}`);
const [smallest = ''] = [...ids].sort();
const wakes = (chainId: string, dueAt: number, firstThen = smallest, dueThen = 2) =>
  wakeInstant({ chainId, due: [{ dueAt }], firstThen, dueThen });
const delays = ids.filter((id) => id !== smallest).map((id) => (wakes(id, ALIGNED) ?? 0) - ALIGNED);

describe('a chain wakes for what is due first', () => {
  it('at the very instant of its own, which 49 others share', () => {
    expect(new Set(ids.map((id) => wakes(id, OWN, smallest, 49)))).toEqual(new Set([OWN]));
  });

  it('3 to 30 s behind an instant that 50 share, but for the smallest of them: until then the bill run has the machine to itself', () => {
    const herd = ids.filter((id) => id !== smallest).map((id) => (wakes(id, OWN, smallest, 50) ?? 0) - OWN);
    expect(Math.min(...herd)).toBeGreaterThanOrEqual(3_000);
    expect(Math.max(...herd)).toBeLessThan(30_000);
    expect(wakes(smallest, OWN, smallest, 50)).toBe(OWN);
  });

  it('30 to 300 s behind an instant that 2,000 share: two cores wake some thirty a second', () => {
    const herd = ids.filter((id) => id !== smallest).map((id) => (wakes(id, OWN, smallest, 2_000) ?? 0) - OWN);
    expect(Math.min(...herd)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...herd)).toBeLessThan(300_000);
    expect(Math.max(...herd)).toBeGreaterThan(290_000);
  });

  it('within 30 s behind a whole hour, as many in the first half as in the second', () => {
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(30_000);
    const early = delays.filter((delay) => delay < 15_000).length;
    expect(Math.abs(early - delays.length / 2)).toBeLessThan(delays.length / 20);
    expect(new Set(delays).size).toBeGreaterThan(delays.length * 0.9);
  });

  it('at the whole hour itself when its id is the smallest of those due then, or the only one', () => {
    expect(wakes(smallest, ALIGNED)).toBe(ALIGNED);
    expect(wakes('Cont_alone', ALIGNED, 'Cont_alone')).toBe(ALIGNED);
  });

  it('always at the same place behind the hour', () => {
    expect(wakes('Cont_7', ALIGNED)).toBe(wakes('Cont_7', ALIGNED, 'Cont_1'));
    expect((wakes('Cont_7', ALIGNED + 3_600_000) ?? 0) - 3_600_000).toBe(wakes('Cont_7', ALIGNED));
  });

  it('not at all when nothing is due', () => {
    expect(wakeInstant({ chainId: 'Cont_7', due: [], firstThen: null, dueThen: 0 })).toBeNull();
  });
});
