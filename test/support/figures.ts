import type { AnyJson } from './api.ts';
import type { StoryVendor } from './story-vendor.ts';

/** The figures of a story's vendor, of its test clock. */
export const readFigures = (vendor: StoryVendor) => {
  const read = (path: string): Promise<AnyJson> => vendor.api.read(`${path}${path.includes('?') ? '&' : '?'}test_clock=${vendor.clock.id}`);
  return {
    read,
    /** "start new expansion contraction churn reactivation end" of a currency, without what is zero */
    async mrr(from: string, to: string, currency = 'usd'): Promise<Record<string, string>> {
      const { currencies } = await read(`/v1/c/report/mrr?from=${from}&to=${to}`);
      const { currency: _, ...row } = currencies.find((one: AnyJson) => one.currency === currency) ?? {};
      return Object.fromEntries(Object.entries(row as Record<string, string>).filter(([, amount]) => Number(amount) !== 0));
    },
    /** "2025-06-01 new 30.00" of each move, in their order */
    async moves(from = '1990-01-01', to = '2990-01-01'): Promise<string[]> {
      const { hits } = await read(`/v1/c/report/mrr/contract?from=${from}&to=${to}&limit=100`);
      return hits.map(({ at, move, amount }: AnyJson) => `${at.slice(0, 10)} ${move} ${amount}`);
    },
    /** The balances of all accounts at an instant, and that those of each currency add up to zero. */
    async balances(at: string): Promise<Record<string, string>> {
      const { accounts } = await read(`/v1/c/ledger/balance?at=${at}`);
      const sums = new Map<string, number>();
      for (const { currency, balance } of accounts) sums.set(currency, (sums.get(currency) ?? 0) + Math.round(Number(balance) * 1000));
      expect([...sums.values()].filter((sum) => sum !== 0)).toEqual([]);
      return Object.fromEntries(accounts.map(({ account, currency, balance }: AnyJson) => [`${account} ${currency}`, balance]));
    },
    async aging(at: string): Promise<AnyJson[]> {
      return (await read(`/v1/c/report/aging?at=${at}`)).currencies;
    },
    /** "2025-06 invoiced recognised deferred" of each month */
    async revenue(from: string, to: string): Promise<string[]> {
      const { currencies } = await read(`/v1/c/report/revenue?from=${from}&to=${to}`);
      return currencies.flatMap(({ months }: AnyJson) =>
        months.map(({ month, invoiced, recognised, deferred_end }: AnyJson) => `${month} ${invoiced} ${recognised} ${deferred_end}`),
      );
    },
  };
};
