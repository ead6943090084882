import { Refusal } from '../../../billing/refusal.ts';
import type { Form } from '../../../portal/http/form.ts';
import { actForm, errorSummary, hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { noteBox } from '../../../portal/parts/note.ts';
import { section } from '../../../portal/parts/section.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { table } from '../../../portal/parts/table.ts';
import { preferencesStanding, requirePreferences } from '../../../services/console/preferences.ts';
import { callApi } from '../../http/call.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, goTo, showPage } from '../../http/response.ts';
import { onAct, onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { operationTabs } from '../operations.ts';
import { PREFERENCE_FIELDS, PREFERENCE_GROUPS, type PreferenceField, type PreferenceGroup } from './fields.ts';
import { bodyOfChange, changedFields, type Texts, textsOf } from './texts.ts';

/** What the vendor has settled for all of its contracts, customers and pages, and the forms that change it. */
export const preferencePages = [
  onGet('/preferences', showPreferences),
  ...PREFERENCE_GROUPS.flatMap((group) =>
    onAct(
      `/preferences/${group}`,
      (visit) => ask(visit, group),
      (visit, form) => save(visit, group, form),
      [],
    ),
  ),
];

type Errors = ReadonlyMap<string, string>;
const NO_ERRORS: Errors = new Map();
const UP = `${CONSOLE_PREFIX}/preferences`;
const INVALID = 422;
const MOST_TRIES = 3;

async function read(visit: Visit, group: PreferenceGroup): Promise<Texts> {
  const called = await callApi(visit, `get_${group}_preferences`, {});
  return textsOf(group, 'response' in called ? called.response : null);
}

async function showPreferences(visit: Visit): Promise<ConsoleResponse> {
  const { t } = visit;
  const sections: Html[] = [];
  for (const group of PREFERENCE_GROUPS) sections.push(groupSection(visit, group, await read(visit, group)));
  const content = html`<div class="title"><h1>${t('prefs.title')}</h1></div>${operationTabs(visit)}${sections}`;
  return showPage({ title: t('prefs.title'), content });
}

function groupSection(visit: Visit, group: PreferenceGroup, texts: Texts): Html {
  const { t, visitor } = visit;
  const title = t(`prefs.${group}_title`);
  const change =
    visitor.scope === 'full'
      ? html`<a class="button small" href="${UP}/${group}">${t('prefs.change')}<span class="hidden"> – ${title}</span></a>`
      : null;
  const entry = (field: PreferenceField): Html =>
    html`<dt>${labelOf(visit, field)}</dt><dd>${shown(visit, field, texts[field.path] ?? '')}</dd>`;
  return section(
    group,
    title,
    html`<p class="soft">${t(`prefs.${group}_text`)}</p><dl>${PREFERENCE_FIELDS[group].map(entry)}</dl>`,
    change,
  );
}

const labelOf = ({ t }: Visit, { label, of }: PreferenceField): string => (of === undefined ? t(label) : `${t(of)}: ${t(label)}`);

/** A value in words. */
function shown({ t }: Visit, { kind, options = [] }: PreferenceField, text: string): string {
  if (text === '') return t('prefs.none');
  if (kind === 'flag') return t(text === 'true' ? 'words.yes' : 'words.no');
  const option = options.find(({ value }) => value === text);
  return option === undefined ? text : t(option.key);
}

async function ask(visit: Visit, group: PreferenceGroup): Promise<ConsoleResponse> {
  const texts = await read(visit, group);
  return formPage(visit, group, { before: texts, after: texts });
}

/**
 * The form as it was sent. A field that is absent, or unchanged since the form was shown, is left as it is stored: so a
 * change that somebody else has made meanwhile isn't undone by a form that didn't touch the field.
 */
const givenBy = (group: PreferenceGroup, form: Form, before: Texts): Texts =>
  Object.fromEntries(
    PREFERENCE_FIELDS[group].map(({ path }) => {
      const isTouched = form.has(path) && !(form.has(shownField(path)) && form.text(shownField(path)) === form.text(path));
      return [path, isTouched ? form.text(path) : (before[path] ?? '')];
    }),
  );

const shownField = (path: string): string => `before.${path}`;

/**
 * Checks what was given without keeping it, and shows what changes; the button of that page saves it. If somebody else
 * has changed one of the fields meanwhile, the form is shown again and says so.
 */
async function change(visit: Visit, group: PreferenceGroup, form: Form): Promise<ConsoleResponse> {
  const { vendorId } = visit.visitor;
  const standing = await preferencesStanding(visit.db, vendorId);
  const before = await read(visit, group);
  const after = givenBy(group, form, before);
  const changed = changedFields(group, before, after);
  if (changed.length === 0) return goTo(UP, { key: 'prefs.nothing' });
  const isShown = ({ path }: PreferenceField): boolean => form.text(shownField(path)) === before[path];
  const isAsShown = form.has('confirmed') && changed.every(isShown);
  const called = await callApi(visit, `set_${group}_preferences`, {
    body: bodyOfChange(group, before, after),
    checkOnly: !isAsShown,
    before: (tx) => requirePreferences(tx, vendorId, standing),
  });
  if ('problems' in called) return formPage(visit, group, { before, after }, errorsOf(visit, group, changed, called.problems));
  const isNews = changed.some((field) => form.has(shownField(field.path)) && !isShown(field));
  return isAsShown ? goTo(UP, { key: 'prefs.saved' }) : reviewPage(visit, group, { before, after, changed, isNews });
}

/**
 * Saves the form. If somebody changes preferences between two looks of this request, they are read again; that happens
 * seldom, and hardly twice.
 */
async function save(visit: Visit, group: PreferenceGroup, form: Form, again = MOST_TRIES): Promise<ConsoleResponse> {
  try {
    return await change(visit, group, form);
  } catch (error) {
    if (again === 0 || !(error instanceof Refusal) || error.code !== 'estimate_outdated') throw error;
    return save(visit, group, form, again - 1);
  }
}

/** What to give instead; a problem of a list or an object belongs to the field that has it. */
function errorsOf(visit: Visit, group: PreferenceGroup, changed: readonly PreferenceField[], problems: Errors): Errors {
  const fieldOf = (problem: string): PreferenceField | undefined =>
    PREFERENCE_FIELDS[group].find(({ path }) => problem === path || problem.startsWith(`${path}.`) || problem.startsWith(`${path}[`));
  const wrong = [...problems.keys()].map((problem) => fieldOf(problem) ?? changed[0]);
  return new Map(wrong.flatMap((field) => (field === undefined ? [] : [[field.path, fixOf(visit, field)] as const])));
}

const fixOf = (visit: Visit, field: PreferenceField): string =>
  field.hint === undefined ? visit.t(`prefs.fix_${field.kind}`) : visit.t('prefs.fix_as', { hint: visit.t(field.hint) });

function formPage(visit: Visit, group: PreferenceGroup, { before, after }: Texted, errors = NO_ERRORS): ConsoleResponse {
  const { t, csrf, path } = visit;
  const title = t(`prefs.${group}_title`);
  const fields = html`${PREFERENCE_FIELDS[group].map(
    (field) =>
      html`${hiddenField(shownField(field.path), before[field.path] ?? '')}${control(visit, field, after[field.path] ?? '', errors.get(field.path))}`,
  )}
<div class="actions"><button type="submit" class="main">${t('prefs.review')}</button><a class="button" href="${UP}">${t('act.back')}</a></div>`;
  return showPage({
    title,
    content: html`<a class="up" href="${UP}">${t('prefs.title')}</a><div class="title"><h1>${title}</h1></div>
${errorSummary(t('prefs.errors_title'), errors)}<section><p class="soft">${t(`prefs.${group}_text`)}</p>${actForm({ action: path, csrf, content: fields })}</section>`,
    narrow: true,
    ...(errors.size === 0 ? {} : { status: INVALID }),
  });
}

function control(visit: Visit, field: PreferenceField, value: string, error: string | undefined): Html {
  const { t } = visit;
  const { path: name, kind, options = [], hint } = field;
  const label = labelOf(visit, field);
  const flags = [
    { value: 'true', text: t('words.yes') },
    { value: 'false', text: t('words.no') },
  ];
  const named = options.map((option) => ({ value: option.value, text: t(option.key) }));
  // what was stored by the API and has no name here stays as it is
  const kept = named.some((one) => one.value === value) ? named : [...named, { value, text: value }];
  if (kind === 'flag' || kind === 'choice') return selectField({ name, label, value, options: kind === 'flag' ? flags : kept, error });
  return textField({ name, label, value, hint: hint === undefined ? undefined : t(hint), error });
}

/** What is stored, and what was typed. */
interface Texted {
  readonly before: Texts;
  readonly after: Texts;
}

interface Changes extends Texted {
  readonly changed: readonly PreferenceField[];
  /** somebody else has changed one of the fields since the form was shown */
  readonly isNews: boolean;
}

/** What changes and for whom, before it is saved. */
function reviewPage(visit: Visit, group: PreferenceGroup, { before, after, changed, isNews }: Changes): ConsoleResponse {
  const { t, csrf, path } = visit;
  const title = t('prefs.review_title');
  const rows = changed.map((field) => [
    labelOf(visit, field),
    shown(visit, field, before[field.path] ?? ''),
    shown(visit, field, after[field.path] ?? ''),
  ]);
  const columns = [t('prefs.preference'), t('prefs.before'), t('prefs.after')].map((one) => ({ title: one }));
  const kept = changed.map(
    (field) => html`${hiddenField(field.path, after[field.path] ?? '')}${hiddenField(shownField(field.path), before[field.path] ?? '')}`,
  );
  const content = html`${hiddenField('confirmed', 'yes')}${kept}<div class="actions"><button type="submit" class="main">${t('prefs.save')}</button>
<a class="button" href="${path}">${t('act.back')}</a></div>`;
  return showPage({
    title,
    content: html`<a class="up" href="${UP}">${t('prefs.title')}</a><div class="title"><h1>${title}</h1></div>
${isNews ? noteBox('wait', html`${t('prefs.changed_meanwhile')}`) : null}<section aria-labelledby="changes"><div class="head"><h2 id="changes">${t(`prefs.${group}_title`)}</h2></div>${table({ labelledBy: 'changes', columns, rows })}
<p>${t(`prefs.${group}_text`)}</p>${actForm({ action: path, csrf, content })}</section>`,
  });
}
