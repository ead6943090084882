import { figuresOf } from '../../../billing/contract/charge/figures.ts';
import { planName } from '../../../billing/contract/period/sources.ts';
import { expirationAt, periodBounds, trialEndOf, whenAt } from '../../../billing/contract/period/time.ts';
import type { Contract, TermFeature } from '../../../billing/contract/types.ts';
import { plain } from '../../../billing/money/decimal.ts';
import type { ListedContract } from '../../../db/sql/contract/list.ts';
import type { Reader } from '../../messages/language.ts';
import { type Html, html } from '../../parts/html.ts';
import { badge } from '../../parts/note.ts';
import { table } from '../../parts/table.ts';

/** The section of one contract: plan, price, current period and usage. */
export function contractSection(reader: Reader, { contract, pauses }: ListedContract, used: ReadonlyMap<string, string>): Html {
  const { t, format } = reader;
  const { terms, status } = contract;
  const { amount, nextCycleStart } = figuresOf(contract, pauses);
  const inTrial = status === 'active' && contract.start === null;
  const heading = `plan-${contract.id}`;
  const fact = (term: string, at: number | null): Html | null => (at === null ? null : html`<dt>${term}</dt><dd>${format.moment(at)}</dd>`);
  return html`<section aria-labelledby="${heading}">
<div class="head"><h2 id="${heading}">${planName(terms)}</h2>${badge(status === 'active' ? 'good' : 'wait', t(inTrial ? 'overview.status_trial' : `overview.status_${status}`))}</div>
<dl>
<dt>${t('overview.price')}</dt><dd>${t('overview.price_per_cycle', { price: format.money(amount, terms.currency), cycle: terms.cycle })}</dd>
${fact(t('overview.begins'), status === 'scheduled' ? contract.activation : null)}
${fact(t('overview.free_until'), inTrial ? trialEndOf(contract, pauses) : null)}
${periodFact(reader, contract, pauses)}
${fact(t('overview.next_charge'), inTrial || contract.cancellation || contract.pendingChange ? null : nextCycleStart)}
${fact(t('overview.ends'), contract.cancellation ? whenAt(contract, contract.cancellation.when, pauses) : expirationAt(contract, pauses))}
${fact(t('overview.other_plan_from'), contract.pendingChange ? whenAt(contract, contract.pendingChange.when, pauses) : null)}
</dl>
${featureTable(reader, contract, used)}
</section>`;
}

function periodFact({ t, format }: Reader, contract: Contract, pauses: ListedContract['pauses']): Html | null {
  if (contract.currentIdx === null || contract.start === null) return null;
  const { start, end } = periodBounds(contract, contract.currentIdx, pauses);
  const span = end === null ? t('overview.since', { start: format.moment(start) }) : `${format.moment(start)} – ${format.moment(end)}`;
  return html`<dt>${t('overview.current_period')}</dt><dd>${span}</dd>`;
}

function featureTable(reader: Reader, { id, terms: { features } }: Contract, used: ReadonlyMap<string, string>): Html | null {
  if (features.length === 0) return null;
  const { t } = reader;
  const columns = [
    { title: t('overview.feature') },
    { title: t('overview.bought'), number: true },
    { title: t('overview.used'), number: true },
  ];
  const rows = features.map((feature) => [feature.name, ...unitCells(reader, feature, used.get(feature.slug) ?? null)]);
  return html`<h3 id="features-${id}">${t('overview.included_title')}</h3>${table({ labelledBy: `features-${id}`, columns, rows })}`;
}

function unitCells({ t, format }: Reader, { price }: TermFeature, used: string | null): [string, string] {
  if (price === null || price.strategy.kind === 'flat') return [t('overview.included'), '–'];
  const { unitName } = price.strategy;
  const units = (count: string): string => `${format.number(plain(count))} × ${unitName}`;
  const bought = 'unitCount' in price.strategy ? units(price.strategy.unitCount) : t('overview.as_used');
  const counts = used !== null || !('unitCount' in price.strategy);
  return [bought, counts ? units(used ?? '0') : '–'];
}
