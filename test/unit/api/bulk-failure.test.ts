import pino from 'pino';
import { UnfinishedResponse } from '../../../api/http/route.ts';
import { reportUsageBulkRoute } from '../../../api/usage/bulk.ts';

type Run = NonNullable<typeof reportUsageBulkRoute.run>;

/** What a bulk report of two entries is answered where their intake gives these results, and what is logged. */
async function reported(results: readonly object[]): Promise<{ answer: unknown; logged: object[] }> {
  const logged: object[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const entry = { customer_id: 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f', feature_slug: 'calls', units: '1' };
  const request = { body: [entry, entry], vendor: 'Wbc_1', idempotency: null, requestId: 'Req_1', asker: { caller: { id: 'Key_1' } } };
  const deps = { usage: { report: async () => results }, db: null, log };
  const run = reportUsageBulkRoute.run as Run;
  const answer = await run(request as unknown as Parameters<Run>[0], deps as unknown as Parameters<Run>[1]);
  return { answer, logged };
}

describe('an entry of a bulk report that fails in an unexpected way', () => {
  it('fails alone, since the others are stored; it is logged with the request, and a repeat tries it again', async () => {
    const { answer, logged } = await reported([{ id: 'Evt_1' }, { error: new Error('of no known kind') }]);
    expect(answer).toBeInstanceOf(UnfinishedResponse);
    expect(answer).toMatchObject({ status: 200, body: [{ index: 1, status: 500, code: 'internal_error' }] });
    expect(JSON.stringify(answer)).not.toContain('of no known kind');
    expect(logged).toMatchObject([{ request_id: 'Req_1', err: { message: 'of no known kind' }, msg: 'unexpected failure' }]);
  });
});
