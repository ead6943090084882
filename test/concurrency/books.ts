import { dec, sum, text } from '../../billing/money/decimal.ts';
import type { AnyJson, Api, TestResponse } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

/**
 * A vendor whose calls are repeated, as clients do it, when the service was too busy for them: nothing was done then.
 */
export async function repeatingVendor(): Promise<TestVendor> {
  const vendor = await newVendor();
  const post: Api['post'] = (path, body, headers) =>
    eventually(async () => {
      const answer = await vendor.api.post(path, body, headers);
      if (answer.status === 503 && answer.body.code === 'unavailable') throw new Error(`POST ${path}: ${answer.body.detail}`);
      return answer;
    });
  return { ...vendor, api: { ...vendor.api, post } };
}

/** Answers by status and, for refusals, by code: `{ '200': 1, '409 contract_not_live': 99 }`. */
export function tally(answers: readonly TestResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status < 300 ? String(status) : `${status} ${body?.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Fails on anything but a success or a conflict; a conflict that may be retried says when. */
export function expectSettled(answers: readonly TestResponse[]): void {
  for (const answer of answers) {
    if (answer.status !== 200 && answer.status !== 201) expect(tally([answer])).toEqual({ [`409 ${answer.body?.code}`]: 1 });
    if (answer.body?.code === 'change_in_progress') expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
}

const LIVE = new Set(['not_ready', 'pending', 'active']);

/** All contracts of a customer, those that are live now, and the invoices, whose lines must add up. */
export async function booksOf(
  api: Api,
  customerId: string,
): Promise<{ contracts: AnyJson[]; live: AnyJson[]; invoices: AnyJson[]; billed: string }> {
  const contracts: AnyJson[] = (await api.read(`/v1/c/contract?customer=${customerId}&limit=100`)).hits;
  const { hits: invoices, total } = await api.read(`/v1/c/invoice?customer=${customerId}&limit=100`);
  expect(invoices).toHaveLength(total);
  for (const { invoice, invoice_items } of invoices) {
    expect(text(sum(invoice_items.map((item: AnyJson) => dec(item.total_including_tax))))).toBe(text(dec(invoice.total)));
  }
  const billed = text(sum(invoices.map(({ invoice }: AnyJson) => dec(invoice.total))));
  return { contracts, live: contracts.filter(({ status }) => LIVE.has(status)), invoices, billed };
}

/** Units billed for a usage line's name over all invoices, and units still open, of a customer's contracts. */
export async function usageOf(api: Api, customerId: string, slug: string): Promise<{ closed: string; open: string }> {
  const { contracts } = await booksOf(api, customerId);
  const periods: AnyJson[] = (
    await Promise.all(contracts.map(({ id }) => api.read(`/v1/c/contract/${id}/usage_period?limit=100`)))
  ).flatMap(({ hits }: AnyJson) => hits);
  const units = (wanted: (status: string) => boolean) =>
    text(
      sum(
        periods
          .filter(({ status }) => wanted(status))
          .flatMap(({ features }) => features.filter((one: AnyJson) => one.feature_slug === slug || one.slug === slug))
          .map((one: AnyJson) => dec(one.units_used)),
      ),
    );
  return { closed: units((status) => status === 'closed'), open: units((status) => status !== 'closed') };
}
