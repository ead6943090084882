import { performance } from 'node:perf_hooks';
import { PrintThreads } from '../../../pdf/threads.ts';
import { contractLine, invoiceDocumentOf } from './documents.ts';

describe('documents are printed in separate threads', () => {
  let threads: PrintThreads;
  beforeAll(() => {
    threads = new PrintThreads();
  });
  afterAll(() => threads.close());

  it('an invoice of 1,000 lines leaves the main thread idle most of the time', async () => {
    const document = invoiceDocumentOf(Array.from({ length: 1_000 }, (_, n) => contractLine({ name: `Feature ${n}` })));
    await threads.print(invoiceDocumentOf([contractLine()]));
    const before = performance.eventLoopUtilization();
    const bytes = await threads.print(document);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it('the same document has the same bytes, also ten at once', async () => {
    const document = invoiceDocumentOf([contractLine()]);
    const prints = await Promise.all(Array.from({ length: 10 }, () => threads.print(document)));
    expect(new Set(prints.map((bytes) => bytes.toString('base64'))).size).toBe(1);
  });

  it('a document that cannot be printed is an error, and the next one is printed', async () => {
    const broken = { ...invoiceDocumentOf([contractLine()]), currency: 'none' as 'usd' };
    await expect(threads.print(broken)).rejects.toThrow();
    expect((await threads.print(invoiceDocumentOf([contractLine()]))).length).toBeGreaterThan(1_000);
  });
});
