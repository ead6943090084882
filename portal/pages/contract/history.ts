import type { PortalEvent } from '../../../services/portal/history.ts';
import type { Reader } from '../../messages/language.ts';
import { type Html, html } from '../../parts/html.ts';

/** What happened to a subscription, newest first. */
export const historyEntries = (reader: Reader, events: readonly PortalEvent[]): Html =>
  html`<ol class="history">${events.map(
    (event) =>
      html`<li><time datetime="${new Date(event.at).toISOString()}">${reader.format.moment(event.at)}</time> <span>${words(reader, event)}</span></li>`,
  )}</ol>`;

function words({ t, format }: Reader, event: PortalEvent): string {
  switch (event.kind) {
    case 'signed':
    case 'began':
    case 'ended':
      return t(`contract.event_${event.kind}`, { plan: event.plan });
    case 'plan_changed':
      return t('contract.event_plan_changed', { from: event.from, plan: event.plan });
    case 'units_changed':
      return t('contract.event_units_changed', { feature: event.feature, from: format.number(event.from), to: format.number(event.to) });
    case 'cycle_changed':
      return t('contract.event_cycle_changed', { cycle: event.cycle });
    default:
      return t(`contract.event_${event.kind}`);
  }
}
