import type { Database } from '../../db/connect.ts';
import { count } from '../../db/counted.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import { createMetrics, type Metrics } from '../../metrics/process.ts';
import { metricsAt, samplesOf, seriesValue } from '../support/metrics.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
let metrics: Metrics;
beforeAll(async () => {
  kit = await openKit(await servers());
  metrics = createMetrics(kit.db);
});
afterAll(() => kit.close());

const own = async () => samplesOf(await metrics.registry.metrics());

describe('what transactions have done', () => {
  const invoices = async (by: string) => seriesValue(await own(), 'perennial_invoices_issued_total', { by });

  it('is counted once it is committed: 1 invoice of a signing, 0 of one that is rolled back', async () => {
    const before = await invoices('caller');
    const [customer, plan] = [await kit.customer(), await kit.plan('10.00')];
    await kit.sign(customer, plan);
    expect(await invoices('caller')).toBe(before + 1);
    const undone = kit.db.transaction(async (tx) => {
      count(tx, 'invoices', { by: 'caller' }, 7);
      throw new Error('not after all');
    });
    await expect(undone).rejects.toThrow('not after all');
    expect(await invoices('caller')).toBe(before + 1);
  });

  it('is counted once where the work runs twice, and not for a part that is taken back', async () => {
    const before = await invoices('timer');
    let tries = 0;
    await kit.db.transaction(async (tx) => {
      tries += 1;
      count(tx, 'invoices', { by: 'timer' }, 3);
      const part = inSavepoint(tx, async () => {
        count(tx, 'invoices', { by: 'timer' }, 100);
        throw new Error('a part');
      });
      await expect(part).rejects.toThrow('a part');
      if (tries === 1) await tx.query(`do $$ begin raise exception 'again' using errcode = 'serialization_failure'; end $$`);
    });
    expect([tries, (await invoices('timer')) - before]).toEqual([2, 3]);
  });
});

describe('what a scrape asks of Postgres', () => {
  /** The same database, whose answers are counted, or don't come. */
  const watched = (answer: Database['query']): Database => ({ ...kit.db, query: answer });

  it('is one statement for ten scrapes at once and one soon after', async () => {
    let asked = 0;
    const { registry } = createMetrics(
      watched((sql, params) => {
        asked += 1;
        return kit.db.query(sql, params);
      }),
    );
    await Promise.all(Array.from({ length: 10 }, () => registry.metrics()));
    const samples = samplesOf(await registry.metrics());
    expect(asked).toBe(1);
    expect(seriesValue(samples, 'perennial_database_up')).toBe(1);
    for (const series of ['agenda_lag_seconds', 'outbox_lag_seconds', 'webhook_lag_seconds', 'contracts_parked', 'emails_waiting'])
      expect(samples).toContainEqual({ series: `perennial_${series}`, labels: {}, value: expect.any(Number) });
  });

  it('is never asked again while Postgres owes an answer, however often somebody looks', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      let asked = 0;
      const answer = Promise.withResolvers<never>();
      const { isDatabaseUp } = createMetrics(
        watched(() => {
          asked += 1;
          return answer.promise;
        }),
      );
      const looks: boolean[] = [];
      for (let look = 0; look < 10; look += 1) {
        const isUp = isDatabaseUp();
        await jest.advanceTimersByTimeAsync(15_000);
        looks.push(await isUp);
      }
      expect([asked, new Set(looks)]).toEqual([1, new Set([false])]);
      answer.reject(new Error('canceling statement due to statement timeout'));
      await jest.advanceTimersByTimeAsync(15_000);
      void isDatabaseUp();
      await jest.advanceTimersByTimeAsync(0);
      expect(asked).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('leaves everything else to be seen while Postgres refuses', async () => {
    const { registry } = createMetrics(watched(() => Promise.reject(new Error('refused'))));
    const samples = samplesOf(await registry.metrics());
    expect(seriesValue(samples, 'perennial_database_up')).toBe(0);
    expect(samples.filter(({ series }) => series === 'perennial_agenda_lag_seconds')).toEqual([]);
    expect(samples.find(({ series }) => series === 'process_cpu_seconds_total')).toBeDefined();
  });
});

describe('/metrics of the processes', () => {
  it('names requests by route, method and class; unknown paths share one series', async () => {
    const { api } = await newVendor();
    const { apiMetricsPort } = await servers();
    const counted = async (labels: Record<string, string>) =>
      seriesValue(samplesOf(await metricsAt(apiMetricsPort)), 'perennial_http_request_seconds_count', labels);
    const missing = { route: '/v1/c/contract/{contract_id}', method: 'GET', status: '4xx' };
    const unknown = { route: 'none', method: 'any', status: '4xx' };
    const before = [await counted(missing), await counted(unknown)];
    await api.get('/v1/c/contract/Cont_01a1feba-41e5-7520-bc2a-a212a6180492');
    await api.get(`/v1/c/nothing/${crypto.randomUUID()}`);
    expect(await counted(missing)).toBeGreaterThanOrEqual((before[0] ?? 0) + 1);
    expect(await counted(unknown)).toBeGreaterThanOrEqual((before[1] ?? 0) + 1);
  });

  it('have no id in any label, and the worker shows what the SDK of Temporal measures', async () => {
    const { apiMetricsPort, workerMetricsPort } = await servers();
    const [api, worker] = [samplesOf(await metricsAt(apiMetricsPort)), samplesOf(await metricsAt(workerMetricsPort))];
    const ids = /_?[0-9a-f]{8}-[0-9a-f]{4}-|@/;
    const strange = [...api, ...worker].filter(({ labels }) => Object.values(labels).some((text) => ids.test(text)));
    expect(strange).toEqual([]);
    expect(seriesValue(worker, 'temporal_num_pollers')).toBeGreaterThan(0);
    expect(seriesValue(worker, 'temporal_request_latency_seconds_count')).toBeGreaterThan(0);
    expect(seriesValue(api, 'perennial_database_connections', { state: 'most' })).toBe(10);
    expect(seriesValue(api, 'perennial_database_statement_seconds_count')).toBeGreaterThan(0);
  });
});
