import { planName } from '../../../billing/contract/period/sources.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge } from '../../../portal/parts/note.ts';
import { section } from '../../../portal/parts/section.ts';
import type { CustomerView } from '../../../services/console/customer.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress, linkTo } from '../links.ts';
import { tableSection } from '../list-page.ts';

/** How much a customer may use, and how much of it is used; nothing where nothing limits it. */
export function limitsSection(visit: Visit, { watching: { limits } }: CustomerView): Html | null {
  if (limits.length === 0) return null;
  const { t, format } = visit;
  return tableSection(visit, 'limits', t('customer.limits_title'), {
    columns: [
      { title: t('customer.feature') },
      { title: t('customer.used'), number: true },
      { title: t('customer.limit'), number: true },
      { title: t('customer.window') },
      { title: t('customer.limit_action') },
    ],
    rows: limits.map(({ slug, units, amount, used, window, action }) => [
      slug ?? t('customer.all_features'),
      used === null ? '–' : format.number(used),
      units === null ? t('customer.limit_money', { amount: format.number(amount ?? '0') }) : format.number(units),
      t(`words.window_${window}`),
      t(`words.limit_${action}`),
    ]),
  });
}

/** Levels that are announced, and which of them were; nothing where there are none. */
export function alertsSection(visit: Visit, { watching: { alerts } }: CustomerView): Html | null {
  if (alerts.length === 0) return null;
  const { t } = visit;
  const step = (text: string, isReached: boolean): Html =>
    isReached ? badge('wait', t('customer.step_reached', { step: text })) : badge('plain', text);
  return tableSection(visit, 'alerts', t('customer.alerts_title'), {
    columns: [{ title: t('customer.alert_on') }, { title: t('customer.feature') }, { title: t('customer.steps') }],
    rows: alerts.map(({ on, slug, steps, reached }) => [
      t(`customer.alert_${on}`),
      slug ?? (on === 'balance' ? '–' : t('customer.all_features')),
      html`<span class="badges">${steps.map((one) => step(one, reached.includes(one)))}</span>`,
    ]),
    foot: alerts.some(({ on }) => on !== 'balance') ? html`<p class="small soft">${t('customer.alerts_text')}</p>` : null,
  });
}

/** Credits that are bought by themselves, and whether they are just now; nothing where none are. */
export function topUpsSection(visit: Visit, { watching: { topUps }, now }: CustomerView): Html | null {
  if (topUps.length === 0) return null;
  const { t, format } = visit;
  const state = ({ stoppedAt, pausedUntil }: (typeof topUps)[number]): Html => {
    if (stoppedAt !== null) return html`${badge('bad', t('customer.top_up_stopped'))}<p class="small soft">${format.moment(stoppedAt)}</p>`;
    if (pausedUntil !== null && pausedUntil > now)
      return html`${badge('wait', t('customer.top_up_paused'))}<p class="small soft">${format.moment(pausedUntil)}</p>`;
    return badge('good', t('customer.top_up_active'));
  };
  return tableSection(visit, 'top-ups', t('customer.top_ups_title'), {
    columns: [
      { title: t('customer.top_up_below') },
      { title: t('customer.status') },
      { title: t('customer.top_up_amount'), number: true },
      { title: t('customer.top_up_price'), number: true },
      { title: t('customer.top_up_most'), number: true },
    ],
    rows: topUps.map((one) => {
      const money = (amount: string): string => format.money(amount, one.currency);
      return [money(one.below), html`<div>${state(one)}</div>`, money(one.amount), money(one.price), money(one.atMostPerMonth)];
    }),
  });
}

/** From which amount on open usage is invoiced, and where that was given; nothing where nothing is. */
export function thresholdsSection(visit: Visit, { watching: { threshold }, contracts }: CustomerView): Html | null {
  const { t, format } = visit;
  const own = contracts.rows.flatMap(({ contract }) => {
    const { invoiceThreshold, invoiceThresholdFrom } = contract.configuration;
    return invoiceThreshold === null ? [] : [{ contract, amount: invoiceThreshold, from: invoiceThresholdFrom ?? 'contract' }];
  });
  const { invoiceThreshold, invoiceThresholdFrom } = threshold;
  if (own.length === 0 && invoiceThreshold === null) return null;
  const place = (from: 'contract' | 'customer' | 'vendor'): Html | string =>
    from === 'vendor' ? linkTo(`${CONSOLE_PREFIX}/preferences`, t('customer.threshold_vendor')) : t(`customer.threshold_${from}`);
  const ofNew = t('customer.threshold_new');
  return section(
    'thresholds',
    t('customer.thresholds_title'),
    html`<dl class="narrow">${own.map(
      ({ contract, amount, from }) =>
        html`<dt>${linkTo(contractAddress(contract.id), planName(contract.terms))}</dt><dd>${format.money(amount, contract.terms.currency)}<div class="small soft">${place(from)}</div></dd>`,
    )}<dt>${ofNew}</dt><dd>${
      invoiceThreshold === null
        ? t('customer.threshold_none')
        : html`${format.number(invoiceThreshold)}<div class="small soft">${place(invoiceThresholdFrom ?? 'vendor')}</div>`
    }</dd></dl>`,
  );
}
