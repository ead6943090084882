import type { Form } from '../../../portal/http/form.ts';
import { html } from '../../../portal/parts/html.ts';
import { moveView, startAsShown } from '../../../services/console/plan-move.ts';
import { resumeMove, stopMove } from '../../../services/plan-move/stop.ts';
import { type ConsoleResponse, goTo, noSuchPage, showPage } from '../../http/response.ts';
import { onAct, onGet } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { confirmPage } from '../acts/confirm.ts';
import { catalogueName } from '../plan/words.ts';
import { askedMove, askMove } from './ask.ts';
import { moveAddress, moveContent } from './view.ts';

/** Moves of a plan's contracts: what one means, its start, its progress, and its stop. */
export const planMovePages = [
  ...onAct('/plan/:id/move', askMove, start, ['to', 'when', 'version']),
  onGet('/plan/:id/move/:move', showMove),
  ...onAct(
    '/plan/:id/move/:move/stop',
    (visit) => ask(visit, 'stop'),
    (visit) => act(visit, 'stop'),
    [],
  ),
  ...onAct(
    '/plan/:id/move/:move/resume',
    (visit) => ask(visit, 'resume'),
    (visit) => act(visit, 'resume'),
    [],
  ),
];

const VERSION = /^\d{1,9}$/;

async function start(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const [asked, version] = [askedMove(visit, form.text), form.text('version')];
  if (asked === null || !VERSION.test(version)) return { kind: 'fixed', page: 'form', status: 400 };
  const id = await startAsShown(visit.db, visit.asker, asked, Number(version));
  return goTo(moveAddress(asked.planId, id), { key: 'move.started' });
}

const viewOf = ({ db, visitor, param }: Visit) => moveView(db, visitor.vendorId, param('id'), param('move'));

async function showMove(visit: Visit): Promise<ConsoleResponse> {
  const view = await viewOf(visit);
  if (view === null) return noSuchPage;
  return showPage({ title: visit.t('move.ask_title', { name: catalogueName(view.plan) }), content: moveContent(visit, view) });
}

async function ask(visit: Visit, what: 'stop' | 'resume'): Promise<ConsoleResponse> {
  const { t, param } = visit;
  if ((await viewOf(visit)) === null) return noSuchPage;
  const up = { to: moveAddress(param('id'), param('move')), title: t('move.one') };
  const effect = html`<p>${t(`move.${what}_text`)}</p>`;
  return confirmPage(visit, { title: t(`move.${what}`), up, effect, button: t(`move.${what}`) });
}

const CHANGES = { stop: stopMove, resume: resumeMove };

async function act({ db, visitor, param, asker }: Visit, what: 'stop' | 'resume'): Promise<ConsoleResponse> {
  const call = { vendorId: visitor.vendorId, planId: param('id'), moveId: param('move') };
  await db.transaction((tx) => CHANGES[what](tx, call), asker);
  return goTo(moveAddress(call.planId, call.moveId), { key: `move.${what}_done` });
}
