import { at, type Instant, iso } from '../../../billing/calendar/instant.ts';
import { boundary } from '../../../billing/calendar/rhythm.ts';
import { BillingError } from '../../../billing/problem.ts';
import { type ClockRecord, readClockWithNextDue } from '../../../db/sql/clock/read-with-next-due.ts';
import type { Form } from '../../../portal/http/form.ts';
import { errorSummary, hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { addressWith } from '../../../portal/parts/pager.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { stopAdvance } from '../../../services/clock/advance.ts';
import { callApi } from '../../http/call.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { confirmPage } from '../acts/confirm.ts';
import { clockAddress } from '../links.ts';

/** Making a clock, moving it and stopping it. */
export const clockForms = [
  ...onAct('/test_clocks/new', (visit) => askNew(visit, { name: '', now: '' }), make, []),
  ...onAct(
    '/test_clock/:id/advance',
    (visit) => ofClock(visit, (clock) => askAdvance(visit, clock, { step: 'month', to: '' })),
    advance,
    [],
  ),
  ...onAct('/test_clock/:id/stop', (visit) => ofClock(visit, (clock) => askStop(visit, clock)), stop, []),
];

type Errors = ReadonlyMap<string, string>;
const NO_ERRORS: Errors = new Map();
const INVALID = 422;

const STEPS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

async function ofClock(visit: Visit, ask: (clock: ClockRecord) => ConsoleResponse): Promise<ConsoleResponse> {
  const clock = await readClockWithNextDue(visit.db, visit.visitor.vendorId, visit.param('id'));
  return clock === null ? noSuchPage : ask(clock);
}

/** A day or an instant as somebody types it; null for what is none. */
function instantOf(text: string): Instant | null {
  try {
    return at(text.replace(' ', 'T'), 'now');
  } catch (error) {
    if (error instanceof BillingError) return null;
    throw error;
  }
}

interface FormParts {
  readonly title: string;
  readonly up: { readonly to: string; readonly title: string };
  readonly effect: Html;
  readonly fields: Html;
  readonly errors: Errors;
}

function formPage(visit: Visit, { title, up, effect, fields, errors }: FormParts): ConsoleResponse {
  const summary = errorSummary(visit.t('clock.errors_title'), errors);
  const page = confirmPage(visit, { title, up, effect: html`${summary}${effect}`, fields, button: title });
  return errors.size === 0 || page.kind !== 'page' ? page : { ...page, status: INVALID };
}

function askNew(visit: Visit, { name, now }: { name: string; now: string }, errors = NO_ERRORS): ConsoleResponse {
  const { t } = visit;
  const fields = html`${textField({ name: 'name', label: t('clock.name'), value: name, error: errors.get('name') })}
${textField({ name: 'now', label: t('clock.start'), hint: t('clock.instant_hint'), value: now, error: errors.get('now'), required: true })}`;
  const up = { to: `${CONSOLE_PREFIX}/test_clocks`, title: t('clock.list_title') };
  return formPage(visit, { title: t('clock.add'), up, effect: html`<p>${t('clock.add_text')}</p>`, fields, errors });
}

async function make(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const given = { name: form.text('name'), now: form.text('now') };
  const now = instantOf(given.now);
  if (now === null) return askNew(visit, given, new Map([['now', visit.t('clock.instant_fix')]]));
  const called = await callApi(visit, 'create_test_clock', { body: { name: given.name || null, now: iso(now) }, makes: true });
  if ('response' in called) return goTo(clockAddress(String(called.response)), { key: 'clock.add_done' });
  return askNew(visit, given, fixesOf(visit, called.problems, 'now'));
}

/** What to give instead, for each field that is wrong. */
const fixesOf = ({ t }: Visit, problems: Errors, instant: string): Errors =>
  new Map([...problems.keys()].map((field) => (field === 'name' ? ['name', t('clock.name_fix')] : [instant, t('clock.instant_fix')])));

function askAdvance(visit: Visit, clock: ClockRecord, { step, to }: { step: string; to: string }, errors = NO_ERRORS): ConsoleResponse {
  const { t, format } = visit;
  const steps = [...STEPS.map((value) => ({ value, text: t(`clock.step_${value}`) })), { value: '', text: t('clock.step_to') }];
  const fields = html`${hiddenField('from', String(clock.now))}${selectField({ name: 'step', label: t('clock.step'), value: step, options: steps })}
${textField({ name: 'to', label: t('clock.to'), hint: t('clock.instant_hint'), value: to, error: errors.get('to') })}`;
  const next = clock.nextDue === null ? t('contract.nothing_due') : t('clock.next_is', { at: format.moment(clock.nextDue) });
  const effect = html`<p>${t('clock.advance_text')}</p><p class="soft">${t('clock.now_is', { at: format.moment(clock.now) })} ${next}</p>`;
  const up = { to: clockAddress(clock.id), title: clock.name ?? t('clock.one') };
  return formPage(visit, { title: t('clock.advance'), up, effect, fields, errors });
}

const INSTANT = /^\d{1,15}$/;

/** A step counts from the time that was shown: a form that is sent twice moves the clock once. */
function targetOf(form: Form): Instant | null {
  const step = STEPS.find((one) => one === form.text('step'));
  if (step === undefined) return instantOf(form.text('to'));
  return boundary({ start: Number(form.text('from')), cycle: step, offset: null, pauses: [] }, 1);
}

async function advance(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { t, param } = visit;
  if (!INSTANT.test(form.text('from'))) return { kind: 'fixed', page: 'form', status: 400 };
  const again = (errors: Errors) =>
    ofClock(visit, (clock) => askAdvance(visit, clock, { step: form.text('step'), to: form.text('to') }, errors));
  const target = targetOf(form);
  if (target === null) return again(new Map([['to', t('clock.instant_fix')]]));
  const called = await callApi(visit, 'advance_test_clock', { params: { test_clock_id: param('id') }, body: { now: iso(target) } });
  if ('problems' in called) return called.problems.has('now') ? again(new Map([['to', t('clock.to_fix')]])) : noSuchPage;
  return goTo(addressWith(clockAddress(param('id')), { from: form.text('from') }), { key: 'clock.advance_done' });
}

function askStop(visit: Visit, clock: ClockRecord): ConsoleResponse {
  const { t } = visit;
  const up = { to: clockAddress(clock.id), title: clock.name ?? t('clock.one') };
  return confirmPage(visit, { title: t('clock.stop'), up, effect: html`<p>${t('clock.stop_text')}</p>`, button: t('clock.stop') });
}

async function stop({ db, visitor, asker, param }: Visit, _: Form): Promise<ConsoleResponse> {
  await db.transaction((tx) => stopAdvance(tx, visitor.vendorId, param('id')), asker);
  return goTo(clockAddress(param('id')), { key: 'clock.stop_done' });
}
