import { Refusal } from '../../../billing/refusal.ts';
import type { Tx } from '../../../db/connect.ts';
import type { CataloguePlan } from '../../../db/plan/plan.ts';
import { readPlan } from '../../../db/sql/plan/read.ts';
import type { Form } from '../../../portal/http/form.ts';
import { html } from '../../../portal/parts/html.ts';
import { noteBox } from '../../../portal/parts/note.ts';
import { newestVersion, requireNewest } from '../../../services/console/plan.ts';
import { callApi } from '../../http/call.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import type { ConsoleRoute } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { planAddress } from '../links.ts';
import { catalogueName } from '../plan/words.ts';
import { bodyOf, fieldOf } from './body.ts';
import { type Draft, draftAfter, draftOf, draftOfForm, EMPTY_DRAFT, textsBesideYesOrNo } from './draft.ts';
import { problemWords } from './error-codes.ts';
import { editPage } from './form.ts';
import { reviewPage } from './review.ts';

/** A plan with a hundred features has some hundred fields for each currency and cycle. */
const MOST_BYTES = 512 * 1024;

const edits = (path: string): ConsoleRoute[] => [
  { method: 'get', path, show: (visit) => ofPlan(visit, begin), asks: true },
  {
    method: 'post',
    path,
    act: (visit, form) => ofPlan(visit, (plan) => goOn(visit, plan, form)),
    fields: [],
    isDraft: true,
    mostBytes: MOST_BYTES,
  },
  {
    method: 'post',
    path: `${path}/save`,
    act: (visit, form) => ofPlan(visit, (plan) => save(visit, plan, form)),
    fields: [],
    mostBytes: MOST_BYTES,
  },
];

/** Making a plan, and changing one. */
export const planEditPages: readonly ConsoleRoute[] = [...edits('/plans/new'), ...edits('/plan/:id/edit')];

type Edited = CataloguePlan | null;

/** The plan that is edited, null for a new one. */
async function ofPlan(visit: Visit, then: (plan: Edited, visit: Visit) => Promise<ConsoleResponse>): Promise<ConsoleResponse> {
  const id = visit.param('id');
  const plan = id === '' ? null : await readPlan(visit.db, visit.visitor.vendorId, id);
  return id !== '' && plan === null ? noSuchPage : then(plan, visit);
}

const begin = async (plan: Edited, visit: Visit): Promise<ConsoleResponse> =>
  shown(visit, plan, plan === null ? EMPTY_DRAFT : draftOf(plan, await newestVersion(visit.db.em(), plan.id)), new Map());

const upOf = ({ t }: Visit, plan: Edited) =>
  plan === null ? { to: `${CONSOLE_PREFIX}/plans`, title: t('plan.list_title') } : { to: planAddress(plan.id), title: catalogueName(plan) };

const titleOf = ({ t }: Visit, plan: Edited): string => t(plan === null ? 'editor.new' : 'editor.change');

async function shown(visit: Visit, plan: Edited, draft: Draft, errors: ReadonlyMap<string, string>, note: string | null = null) {
  const read = await visit.parts.draftPlan(visit.visitor.vendorId, bodyOf(draft, plan?.id ?? null));
  return editPage({
    visit,
    draft,
    errors,
    title: titleOf(visit, plan),
    up: upOf(visit, plan),
    plan: 'plan' in read ? read.plan : null,
    note: note === null ? null : noteBox('wait', html`${note}`),
  });
}

/** A button of the form: rows come and go, and the review shows what saving would change. */
async function goOn(visit: Visit, plan: Edited, form: Form): Promise<ConsoleResponse> {
  const button = form.text('do');
  const draft = draftAfter(draftOfForm(form.entries()), button);
  if (button !== 'review') return shown(visit, plan, draft, new Map());
  const read = await visit.parts.draftPlan(visit.visitor.vendorId, bodyOf(draft, plan?.id ?? null));
  const errors = errorsOf(visit, draft, 'problems' in read ? read.problems : new Map());
  if ('problems' in read || errors.size > 0) return shown(visit, plan, draft, errors);
  return reviewPage(visit, { draft, before: plan, after: read.plan, title: titleOf(visit, plan), up: upOf(visit, plan) });
}

/** What is wrong with the fields: what the API says of its own, and what only the form can have. */
const errorsOf = (visit: Visit, draft: Draft, problems: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([
    ...[...problems].map(([path, message]) => [fieldOf(draft, path), problemWords(visit, message)] as const),
    ...textsBesideYesOrNo(draft).map((name) => [name, visit.t('error.value_twice')] as const),
  ]);

async function save(visit: Visit, plan: Edited, form: Form): Promise<ConsoleResponse> {
  const draft = draftOfForm(form.entries());
  const errors = errorsOf(visit, draft, new Map());
  if (errors.size > 0) return shown(visit, plan, draft, errors);
  const before = plan === null ? undefined : (tx: Tx) => requireNewest(tx, visit.visitor.vendorId, plan.id, Number(draft.get('version')));
  try {
    const called = await callApi(visit, 'save_plan', { body: bodyOf(draft, plan?.id ?? null), makes: plan === null, before });
    if ('problems' in called) return shown(visit, plan, draft, errorsOf(visit, draft, called.problems));
    return goTo(planAddress(String(called.response)), { key: 'editor.saved' });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'slug_taken') return shown(visit, plan, draft, new Map([['slug', visit.t('error.slug_taken')]]));
    if (error.code === 'estimate_outdated' && plan !== null) return changedMeanwhile(visit, plan, draft);
    throw error;
  }
}

/** What was typed stays; the next review compares it with what the plan is now. */
async function changedMeanwhile(visit: Visit, plan: CataloguePlan, draft: Draft): Promise<ConsoleResponse> {
  const version = String(await newestVersion(visit.db.em(), plan.id));
  return shown(visit, plan, new Map([...draft, ['version', version]]), new Map(), visit.t('editor.changed_meanwhile'));
}
