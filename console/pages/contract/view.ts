import { figuresOf } from '../../../billing/contract/charge/figures.ts';
import { timesOf } from '../../../billing/contract/charge/views.ts';
import { planName } from '../../../billing/contract/period/sources.ts';
import { boughtUnits, isUnitPriced } from '../../../billing/pricing/price.ts';
import type { SignedVersion } from '../../../db/sql/plan/version-of-contract.ts';
import { featureWords } from '../../../portal/pages/change/price-words.ts';
import { usagePlots } from '../../../portal/pages/contract/plots.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge, noteBox } from '../../../portal/parts/note.ts';
import { addressWith } from '../../../portal/parts/pager.ts';
import { section } from '../../../portal/parts/section.ts';
import type { ContractView } from '../../../services/console/contract.ts';
import { runningUsage } from '../../../services/portal/usage.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import { invoiceTable } from '../invoice-table.ts';
import { historyWords } from '../kind-words.ts';
import { contractAddress, customerAddress, linkTo, objectLink, planAddress } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { callerWords, contractBadge } from '../words.ts';
import { actsSection } from './acts.ts';
import { nextSection } from './next.ts';
import { changeRulesSection, pauseRulesSection } from './rules.ts';

/** How a contract stands, what happens next, what was sold, by which rules, and what happened. */
export function contractContent(visit: Visit, view: ContractView): Html {
  const { t } = visit;
  const { contract, customerName } = view.detail;
  const name = customerName || t('customer.no_name');
  const reason = contract.parkedReason;
  return html`<a class="up" href="${customerAddress(contract.customerId)}">${name}</a>
<div class="title"><h1>${planName(contract.terms)}</h1><span class="badges">${contractBadge(visit, contract)}${reason === null ? null : badge('bad', t('words.contract_parked'))}</span><p class="id">${contract.id}</p></div>
${reason === null ? null : noteBox('bad', t.html('contract.parked_text', { reason }))}
<div class="columns"><div>
${nextSection(visit, view)}
${tableSection(visit, 'invoices', t('invoice.list_title'), { ...invoiceTable(visit, view.invoices.rows, false), foot: moreInvoices(visit, view) })}
${termsSection(visit, view)}
${usageSection(visit, view)}
${changeRulesSection(visit, contract.changeRules)}
${pauseRulesSection(visit, contract.pauseRules)}
${pastSection(visit, view)}
</div><div>
${facts(visit, view)}
${actsSection(visit, view)}
${chainSection(visit, view)}
${linksSection(visit, view)}
</div></div>`;
}

const moreInvoices = ({ t }: Visit, { detail, invoices }: ContractView): Html | null =>
  invoices.next === null
    ? null
    : html`<p class="links">${linkTo(addressWith(`${CONSOLE_PREFIX}/invoices`, { contract: detail.contract.id }), t('list.whole'))}</p>`;

function facts(visit: Visit, { detail: { contract, customerName, pauses }, version }: ContractView): Html {
  const { t, format, portal } = visit;
  const { terms, configuration, discount } = contract;
  const times = timesOf(contract, pauses);
  const fact = (term: string, value: Html | string): Html => html`<dt>${term}</dt><dd>${value}</dd>`;
  const when = (term: string, at: number | null): Html | null => (at === null ? null : fact(term, format.moment(at)));
  const price = portal.t('prices.per_cycle', {
    price: format.money(figuresOf(contract, pauses).amount, terms.currency),
    cycle: terms.cycle,
  });
  const period = times.currentPeriod;
  return section(
    'facts',
    t('contract.facts_title'),
    html`<p class="figure">${price}</p><dl class="narrow">
${fact(t('customer.one'), linkTo(customerAddress(contract.customerId), customerName || t('customer.no_name')))}
${version === null ? null : fact(t('plan.one'), versionLink(visit, terms.originalPlanId, version))}
${when(t('contract.activation'), times.activation)}${when(t('contract.trial_end'), times.freeTrialEnd)}
${period === null ? null : fact(t('contract.period', { number: times.currentPeriodIdx ?? 0 }), `${format.moment(period.start)} – ${period.end === null ? '…' : format.moment(period.end)}`)}
${when(t('contract.expiration'), times.expiration)}${when(t('contract.ended'), contract.ended)}
${discount === null ? null : fact(t('contract.discount'), discount.name)}
${fact(t('contract.automatic'), t(configuration.automaticPayment ? 'words.yes' : 'words.no'))}
${when(t('contract.created'), contract.created)}</dl>`,
  );
}

/** What the plan held when the contract was signed; contracts keep a copy of it. */
const versionLink = ({ t }: Visit, planId: string, { number, internalName }: SignedVersion): Html =>
  linkTo(`${planAddress(planId)}/version/${number}`, t('contract.version', { plan: internalName, number }));

function termsSection(visit: Visit, { detail: { contract, used } }: ContractView): Html | null {
  const { t, format, portal } = visit;
  const { features, currency } = contract.terms;
  if (features.length === 0) return null;
  const rows = features.map((feature) => [
    feature.name,
    feature.price !== null && isUnitPriced(feature.price) ? format.number(boughtUnits(feature.price)) : '–',
    Object.hasOwn(used, feature.slug) ? format.number(used[feature.slug] ?? '0') : '–',
    featureWords(portal, feature, currency),
  ]);
  const columns = [
    { title: t('contract.feature') },
    { title: t('contract.bought'), number: true },
    { title: t('contract.used'), number: true },
    { title: t('contract.price') },
  ];
  return tableSection(visit, 'terms', t('contract.terms_title'), { columns, rows });
}

/** What was used in the last billing periods, a plot for each metered feature. */
function usageSection({ t, portal }: Visit, { detail: { contract, used }, usage }: ContractView): Html | null {
  const plots = usagePlots(portal, contract.terms.cycle, runningUsage(contract, new Map(Object.entries(used))), usage);
  return plots === null ? null : section('usage', t('contract.usage_title'), plots);
}

/** The contracts before and after it: each change has made a new one. */
function chainSection(visit: Visit, { chain, detail: { contract } }: ContractView): Html | null {
  if (chain.length < 2) return null;
  const { t, format } = visit;
  const entry = (one: ContractView['chain'][number]): Html =>
    html`<li>${one.id === contract.id ? html`<strong>${planName(one.terms)}</strong>` : linkTo(contractAddress(one.id), planName(one.terms))} ${contractBadge(visit, one)}<br><span class="small soft">${format.moment(one.created)}</span></li>`;
  return section('chain', t('contract.chain_title'), html`<ol class="plain">${chain.map(entry)}</ol>`);
}

/** What other tools say of the contract; the workflow only where the UI's address is known. */
function linksSection({ t, parts: { temporalUi, temporalNamespace } }: Visit, { detail: { contract } }: ContractView): Html {
  const object = contract.id;
  const workflow = `${temporalUi}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows/${contract.rootId}`;
  return section(
    'logs',
    t('customer.logs_title'),
    html`<p>${linkTo(addressWith(`${CONSOLE_PREFIX}/events`, { object }), t('log.events_title'))}</p>
<p>${linkTo(addressWith(`${CONSOLE_PREFIX}/audit`, { object }), t('log.audit_title'))}</p>
${temporalUi === null ? null : html`<p><a href="${workflow}" rel="noreferrer">${t('contract.workflow')}</a></p>`}`,
  );
}

/** What was asked of it and its events, newest first. */
function pastSection(visit: Visit, { past }: ContractView): Html {
  const { t, format } = visit;
  return tableSection(visit, 'past', t('contract.past_title'), {
    columns: [t('customer.what'), t('log.actor'), t('log.at')].map((title) => ({ title })),
    rows: past.map(({ at, kind, callerType, callerId }) => [
      historyWords(visit, kind),
      html`<div>${callerWords(visit, callerType)}${callerId === null ? null : html`<br>${objectLink(callerId)}`}</div>`,
      format.moment(at),
    ]),
  });
}
