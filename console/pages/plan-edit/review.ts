import type { CataloguePlan } from '../../../db/plan/plan.ts';
import { contractsByPricing } from '../../../db/sql/plan/count-contracts.ts';
import { actForm, hiddenField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { section } from '../../../portal/parts/section.ts';
import { MOST_COUNTED } from '../../../services/console/plan.ts';
import { type ConsoleResponse, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { planChanges } from '../plan/changes.ts';
import type { Draft } from './draft.ts';

interface Reviewed {
  draft: Draft;
  /** null: a new plan */
  before: CataloguePlan | null;
  after: CataloguePlan;
  title: string;
  up: { to: string; title: string };
}

/** What saving changes and whom it concerns; one button saves, the other goes back with what was typed. */
export async function reviewPage(visit: Visit, { draft, before, after, title, up }: Reviewed): Promise<ConsoleResponse> {
  const { t, csrf, path } = visit;
  const changes = planChanges(visit, before ?? { ...after, features: [], pricings: [] }, after);
  const fields = [...draft].map(([name, value]) => hiddenField(name, value));
  const content = html`${fields}<div class="actions">${changes.length === 0 ? null : html`<button type="submit" class="main" formaction="${path}/save">${t('editor.save')}</button>`}
<button type="submit" name="do" value="update">${t('editor.back')}</button></div>`;
  return showPage({
    title,
    content: html`<a class="up" href="${up.to}">${up.title}</a><div class="title"><h1>${title}</h1></div>
${section('review', t('editor.review_title'), html`${changeList(visit, changes)}<p>${await concerns(visit, before)}</p>${actForm({ action: path, csrf, content })}`)}`,
    narrow: true,
  });
}

const changeList = ({ t }: Visit, changes: readonly string[]): Html =>
  changes.length === 0 ? html`<p>${t('editor.nothing')}</p>` : html`<ul>${changes.map((change) => html`<li>${change}</li>`)}</ul>`;

async function concerns({ t, db, visitor }: Visit, before: CataloguePlan | null): Promise<string> {
  if (before === null) return t('editor.concerns_new');
  const { counts } = await contractsByPricing(db, visitor.vendorId, before.id, MOST_COUNTED);
  return t('editor.concerns', { count: counts.reduce((all, { contracts }) => all + contracts, 0) });
}
