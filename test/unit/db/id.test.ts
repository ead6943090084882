import { newId } from '../../../db/id.ts';

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
