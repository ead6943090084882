import { newId, seededIds } from '../../../db/id.ts';

const UUID_7 = /^Evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('new ids', () => {
  it('are UUIDs of version 7, 10,000 of them different and in the order they were made', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('Evt'));
    expect(ids.every((id) => UUID_7.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(10_000);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('carry their time', () => {
    const before = Date.now();
    const time = Number.parseInt(newId('Evt').replace('-', '').slice(4, 16), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThan(before + 60_000);
  });
});

describe('ids of a seed', () => {
  it('come again in the same order, in which they sort, 1,000 of them different, with the form and the time of any other', () => {
    const at = Date.UTC(2025, 5, 16);
    const idsOf = (seed: string) => {
      const next = seededIds(seed, at);
      return Array.from({ length: 1_000 }, () => next('Evt'));
    };
    const ids = idsOf('one');
    expect(ids).toEqual(idsOf('one'));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set([...ids, ...idsOf('two')]).size).toBe(2_000);
    expect(ids.every((id) => UUID_7.test(id))).toBe(true);
    expect(Number.parseInt((ids[999] ?? '').replace('-', '').slice(4, 16), 16)).toBe(at);
  });
});
