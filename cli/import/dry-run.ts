import { dec } from '../../billing/money/decimal.ts';
import type { ShownRefusal } from './print.ts';

/** What a dry run says, as the API shows it. */
export interface ShownDryRun {
  made: { customers: number; contracts: number; wallets: number };
  repeated: number;
  waiting: number;
  recurring: { currency: string; cycle: string; contracts: number; total: string }[];
  balances: { currency: string; total: string }[];
  refused: ShownRefusal[];
  after: number | null;
}

export const NOTHING_TRIED: ShownDryRun = {
  made: { customers: 0, contracts: 0, wallets: 0 },
  repeated: 0,
  waiting: 0,
  recurring: [],
  balances: [],
  refused: [],
  after: null,
};

/** The responses of the parts of a dry run, added together. */
export function addDryRun(a: ShownDryRun, b: ShownDryRun): ShownDryRun {
  return {
    made: {
      customers: a.made.customers + b.made.customers,
      contracts: a.made.contracts + b.made.contracts,
      wallets: a.made.wallets + b.made.wallets,
    },
    repeated: a.repeated + b.repeated,
    waiting: a.waiting + b.waiting,
    recurring: [...Map.groupBy([...a.recurring, ...b.recurring], ({ currency, cycle }) => `${currency} ${cycle}`).values()].map((some) =>
      some.reduce(({ currency, cycle, contracts, total }, one) => ({
        currency,
        cycle,
        contracts: contracts + one.contracts,
        total: plus(total, one.total),
      })),
    ),
    balances: [...Map.groupBy([...a.balances, ...b.balances], ({ currency }) => currency).values()].map((some) =>
      some.reduce(({ currency, total }, one) => ({ currency, total: plus(total, one.total) })),
    ),
    refused: [...a.refused, ...b.refused].toSorted((one, other) => one.line - other.line),
    after: b.after,
  };
}

/** The sum, with as many digits as the longer of the two has. */
const plus = (a: string, b: string): string =>
  dec(a)
    .plus(dec(b))
    .toFixed(Math.max(digits(a), digits(b)));

const digits = (amount: string): number => amount.split('.')[1]?.length ?? 0;
