import { type Html, html } from '../../../portal/parts/html.ts';
import { badge } from '../../../portal/parts/note.ts';
import { addressWith, pager } from '../../../portal/parts/pager.ts';
import type { PlanView, ShownVersion } from '../../../services/console/plan.ts';
import type { Visit } from '../../http/visit.ts';
import { linkTo, planAddress } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { planChanges } from './changes.ts';

/** Changes of one version that a row names. */
const MOST_CHANGES = 5;

/** The versions of a plan, each with what it changed and how many contracts stand at its prices. */
export function versionsSection(visit: Visit, view: PlanView): Html {
  const { t, format, query } = visit;
  const { plan, versions, older, before } = view;
  const rows = versions.map((version, at) => [
    html`${linkTo(`${planAddress(plan.id)}/version/${version.number}`, t('plan.version', { number: version.number }))} ${at === 0 && query('below') === '' ? badge('good', t('plan.version_now')) : null}`,
    format.moment(version.began),
    changes(visit, versions[at + 1]?.held ?? before, version),
    format.number(String(contractsAt(view, version))),
  ]);
  return tableSection(visit, 'versions', t('plan.versions_title'), {
    columns: [
      { title: t('plan.versions_title') },
      { title: t('plan.began') },
      { title: t('plan.changes') },
      { title: t('plan.at_prices'), number: true },
    ],
    rows,
    foot: pager({
      older: older === null ? null : addressWith(planAddress(plan.id), { below: String(older) }),
      newest: query('below') === '' ? null : planAddress(plan.id),
      titles: { older: t('plan.older_versions'), newest: t('plan.newest_versions') },
    }),
  });
}

/** A pricing that several versions have counts at each of them. */
const contractsAt = ({ contracts }: PlanView, { held }: ShownVersion): number =>
  held.pricings.reduce((all, { id }) => all + (contracts.get(id) ?? 0), 0);

function changes(visit: Visit, before: ShownVersion['held'] | null, { held }: ShownVersion): Html | string {
  if (before === null) return visit.t('plan.first_version');
  const all = planChanges(visit, before, held);
  const further = all.length - MOST_CHANGES;
  return html`<ul class="words">${all.slice(0, MOST_CHANGES).map((change) => html`<li>${change}</li>`)}
${further <= 0 ? null : html`<li>${visit.t('plan.more_changes', { count: further })}</li>`}</ul>`;
}
