import { SharedRead } from '../../../api/http/shared-read.ts';

describe('a shared read', () => {
  it('is never one that began before the request: those that wait share the next', async () => {
    const begun: PromiseWithResolvers<number>[] = [];
    const reads = new SharedRead(() => {
      const one = Promise.withResolvers<number>();
      begun.push(one);
      return one.promise;
    });
    const first = reads.get('key');
    const [second, third] = [reads.get('key'), reads.get('key')];
    expect(begun).toHaveLength(1);
    begun[0]?.resolve(1);
    expect(await first).toBe(1);
    await Promise.resolve();
    expect(begun).toHaveLength(2);
    begun[1]?.resolve(2);
    expect(await Promise.all([second, third])).toEqual([2, 2]);
  });

  it('that fails fails for those who shared it alone', async () => {
    let fails = true;
    const reads = new SharedRead(async () => {
      if (fails) throw new Error('away');
      return 1;
    });
    await expect(reads.get('key')).rejects.toThrow('away');
    fails = false;
    expect(await reads.get('key')).toBe(1);
  });
});
