import { figuresOf } from '../../billing/contract/charge/figures.ts';
import { planName } from '../../billing/contract/period/sources.ts';
import { expirationAt, periodBounds, trialEndOf, whenAt } from '../../billing/contract/period/time.ts';
import type { Contract, ContractStatus, TermFeature } from '../../billing/contract/types.ts';
import { plain } from '../../billing/money/decimal.ts';
import type { ListedContract } from '../../db/sql/contract/list.ts';
import { moment, moneyLabel, quantity } from './format.ts';
import { type Html, html } from './html.ts';

const STATUS: Record<ContractStatus, string> = {
  active: 'Active',
  pending: 'Not active yet',
  scheduled: 'Begins later',
  canceled: 'Ended',
  moved: 'Changed',
  not_ready: 'Being set up',
};

const PER_CYCLE: Record<Contract['terms']['cycle'], string> = {
  once: 'once',
  constant: 'for the whole duration',
  hour: 'an hour',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  quarter: 'a quarter',
  year: 'a year',
};

/** The section of one contract: plan, price, current period and usage. */
export function contractSection({ contract, pauses }: ListedContract, used: ReadonlyMap<string, string>): Html {
  const { terms, status } = contract;
  const { amount, nextCycleStart } = figuresOf(contract, pauses);
  const inTrial = status === 'active' && contract.start === null;
  const heading = `plan-${contract.id}`;
  return html`<section aria-labelledby="${heading}">
<div class="head"><h2 id="${heading}">${planName(terms)}</h2><span class="badge${status === 'active' ? '' : ' wait'}">${inTrial ? 'Free trial' : STATUS[status]}</span></div>
<dl>
<dt>Price</dt><dd>${moneyLabel(amount, terms.currency)} ${PER_CYCLE[terms.cycle]}</dd>
${fact('Begins', status === 'scheduled' ? contract.activation : null)}
${fact('Free until', inTrial ? trialEndOf(contract, pauses) : null)}
${periodFact(contract, pauses)}
${fact('Next charge', inTrial || contract.cancellation || contract.pendingChange ? null : nextCycleStart)}
${fact('Ends', contract.cancellation ? whenAt(contract, contract.cancellation.when, pauses) : expirationAt(contract, pauses))}
${fact('Another plan from', contract.pendingChange ? whenAt(contract, contract.pendingChange.when, pauses) : null)}
</dl>
${featureTable(terms.features, used)}
</section>`;
}

const fact = (term: string, at: number | null): Html | null => (at === null ? null : html`<dt>${term}</dt><dd>${moment(at)}</dd>`);

function periodFact(contract: Contract, pauses: ListedContract['pauses']): Html | null {
  if (contract.currentIdx === null || contract.start === null) return null;
  const { start, end } = periodBounds(contract, contract.currentIdx, pauses);
  return html`<dt>Current period</dt><dd>${end === null ? `since ${moment(start)}` : `${moment(start)} – ${moment(end)}`}</dd>`;
}

function featureTable(features: readonly TermFeature[], used: ReadonlyMap<string, string>): Html | null {
  if (features.length === 0) return null;
  const rows = features.map(
    (feature) => html`<tr><th scope="row">${feature.name}</th>${cells(feature, used.get(feature.slug) ?? null)}</tr>`,
  );
  return html`<h3>Included</h3><div class="scroll"><table>
<thead><tr><th scope="col">Feature</th><th scope="col" class="number">Bought</th><th scope="col" class="number">Used this period</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function cells({ price }: TermFeature, used: string | null): Html {
  if (price === null || price.strategy.kind === 'flat') return html`<td class="number">included</td><td class="number">–</td>`;
  const { unitName } = price.strategy;
  const bought = 'unitCount' in price.strategy ? `${quantity(plain(price.strategy.unitCount))} × ${unitName}` : 'as used';
  const counts = used !== null || !('unitCount' in price.strategy);
  return html`<td class="number">${bought}</td><td class="number">${counts ? `${quantity(plain(used ?? '0'))} × ${unitName}` : '–'}</td>`;
}
