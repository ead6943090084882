import type { Reader } from '../../messages/reader.ts';
import { errorWords } from '../plan/error-words.ts';

/** What the API says of a field of a plan, and the code of the words that the console has for it. */
const CODES: readonly [RegExp, string][] = [
  [/^(is required|must not be empty|give a slug|give a name)$/, 'blank'],
  [/^must be a decimal|decimal text|must be text, not/, 'invalid_decimal'],
  [/^must be a whole number/, 'whole'],
  [/^must have 1 to 100 letters/, 'slug'],
  [/^must have at most \d+ character/, 'too_long'],
  [/is taken by an earlier feature/, 'duplicate_slug'],
  [/^give a whole number/, 'invalid_count'],
  [/^must be at (least|most)/, 'invalid_count'],
  [/^leave it out, or use strategy "group"/, 'group_not_used'],
  [/^give group ".*" a price/, 'unknown_group'],
  [/^give the price of this group/, 'missing_price'],
  [/^there is a pricing in/, 'duplicate_pricing'],
  [/^give at least one pricing|must have at least 1 entr/, 'no_pricing'],
  [/^leave it out, or use a cycle that recurs/, 'credits_need_cycles'],
  [/^give more than zero, with no more digits/, 'invalid_amount'],
  [/^leave it out/, 'price_not_used'],
  [/^give "0": the tiers/, 'amount_not_used'],
  [/^use charge_trigger "every_cycle"/, 'usage_needs_every_cycle'],
  [/^price usage on a feature/, 'usage_needs_feature'],
  [/^give a minimum of at most/, 'minimum_above_maximum'],
  [/^give at least one tier/, 'no_tiers'],
  [/^give null in the last tier/, 'last_tier_not_open'],
  [/only the last tier is open/, 'open_tier_not_last'],
  [/^give tiers in ascending order/, 'tiers_overlap'],
  [/^give at least .* units/, 'below_minimum'],
  [/^give at most .* units/, 'above_maximum'],
];

/** What is wrong with a field of a plan, in the reader's language. */
export function problemWords(reader: Pick<Reader, 't'>, message: string): string {
  const code = CODES.find(([pattern]) => pattern.test(message))?.[1];
  return code === undefined ? reader.t('error.other', { message }) : errorWords(reader, code, message);
}
