import { openTracing } from '../../../config/tracing.ts';
import { anyFreePort } from '../../../local-stack/ports.ts';

describe('traces', () => {
  it('do not exist without a collector', async () => {
    expect(await openTracing(null, 'test', () => {})).toBeNull();
  });

  it('are lost when the collector is away: work goes on, closing succeeds, and the loss is reported once', async () => {
    const reported: unknown[] = [];
    const tracing = await openTracing(`http://127.0.0.1:${await anyFreePort()}`, 'test', (error) => reported.push(error));
    if (tracing === null) throw new Error('tracing was expected');
    for (const number of [1, 2, 3]) {
      expect(await tracing.request({}, async () => number)).toBe(number);
      await expect(tracing.request({}, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    }
    await tracing.close();
    expect(reported).toHaveLength(1);
  });
});
