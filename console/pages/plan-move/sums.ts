import { type Currency, isCurrency } from '../../../billing/money/currency.ts';
import { dec } from '../../../billing/money/decimal.ts';
import type { DryRun } from '../../../services/plan-move/dry-run.ts';

/** What the parts of a dry run come to together; the address of the next part carries it along. */
export interface MoveSums {
  contracts: number;
  totals: ReadonlyMap<Currency, { total: string; later: string }>;
  /** how many contracts were refused, by code */
  refused: ReadonlyMap<string, number>;
}

const NOTHING: MoveSums = { contracts: 0, totals: new Map(), refused: new Map() };

/** The sums of the parts before, with those of one more. */
export function withPart(before: MoveSums, { contracts, totals, refused }: DryRun): MoveSums {
  const sums = new Map(before.totals);
  for (const { currency, total, later } of totals) {
    const known = sums.get(currency) ?? { total: '0', later: '0' };
    sums.set(currency, { total: dec(known.total).plus(total).toFixed(), later: dec(known.later).plus(later).toFixed() });
  }
  const codes = new Map(before.refused);
  for (const { code } of refused) codes.set(code, (codes.get(code) ?? 0) + 1);
  return { contracts: before.contracts + contracts, totals: sums, refused: codes };
}

/** The sums as text for a query parameter: `120~usd_10.00_0.00~customer_frozen_3`. */
export const sumsText = ({ contracts, totals, refused }: MoveSums): string =>
  [
    String(contracts),
    [...totals].map(([currency, { total, later }]) => `${currency}_${total}_${later}`).join('*'),
    [...refused].map(([code, count]) => `${code}_${count}`).join('*'),
  ].join('~');

const TEXT = /^(\d{1,9})~([a-z]{3}_-?[\d.]{1,30}_-?[\d.]{1,30}(?:\*|(?=~)))*~([a-z_]{1,60}_\d{1,9}(?:\*|$))*$/;
const MONEY = /^([a-z]{3})_(-?\d{1,20}(?:\.\d{1,8})?)_(-?\d{1,20}(?:\.\d{1,8})?)$/;
const CODE = /^([a-z_]{1,60})_(\d{1,9})$/;

/** The sums that an address carries; none where it carries nothing of ours. */
export function sumsFrom(text: string): MoveSums {
  if (!TEXT.test(text)) return NOTHING;
  const [contracts = '0', totals = '', refused = ''] = text.split('~');
  return {
    contracts: Number(contracts),
    totals: new Map(totals.split('*').flatMap(totalFrom)),
    refused: new Map(refused.split('*').flatMap(codeFrom)),
  };
}

function totalFrom(text: string): [Currency, { total: string; later: string }][] {
  const [, currency = '', total = '', later = ''] = MONEY.exec(text) ?? [];
  return isCurrency(currency) ? [[currency, { total, later }]] : [];
}

function codeFrom(text: string): [string, number][] {
  const [, code, count] = CODE.exec(text) ?? [];
  return code === undefined ? [] : [[code, Number(count)]];
}
