import { dec } from '../../../billing/money/decimal.ts';
import type { RunningUsage } from '../../../services/portal/usage.ts';
import type { Reader } from '../../messages/language.ts';
import { type Html, html } from '../../parts/html.ts';
import { usageBar } from '../../parts/plot.ts';

/** What is used in the running period, a line each: in words, and as a bar where something limits it. */
export function usageBars(reader: Reader, contractId: string, usage: readonly RunningUsage[]): Html | null {
  if (usage.length === 0) return null;
  const entries = usage.map((one) => {
    const bar = one.limit === null ? null : usageBar({ id: `bar-${contractId}-${one.slug}`, used: one.used, limit: one.limit.units });
    return html`<li><p><span>${one.name}</span> <span class="usage-words">${usageWords(reader, one)}</span></p>${bar}</li>`;
  });
  return html`<ul class="usage">${entries}</ul>
`;
}

/** "1,234 of 10,000 calls (12%)"; what is beyond the limit is said as such. */
function usageWords({ t, format }: Reader, { used, unitName: unit, limit }: RunningUsage): string {
  const units = format.number(dec(used).toFixed());
  if (limit === null) return t('contract.usage_plain', { used: units, unit });
  const most = dec(limit.units);
  const limitText = format.number(most.toFixed());
  const over = dec(used).minus(most);
  if (over.greaterThan(0)) return t('contract.usage_over', { used: units, unit, over: format.number(over.toFixed()), limit: limitText });
  const share = most.isZero() ? dec(0) : dec(used).dividedBy(most);
  return t('contract.usage_bought', { used: units, limit: limitText, unit, percent: format.rate(share.toFixed(2)) });
}
