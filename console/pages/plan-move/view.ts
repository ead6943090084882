import type { PlanMoveRecord } from '../../../db/entities/plan-move.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge } from '../../../portal/parts/note.ts';
import { section } from '../../../portal/parts/section.ts';
import { type MoveView, REFUSED_ROWS } from '../../../services/console/plan-move.ts';
import type { Visit } from '../../http/visit.ts';
import type { Reader } from '../../messages/reader.ts';
import { codeWords } from '../kind-words.ts';
import { linkTo, objectLink, planAddress } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { catalogueName } from '../plan/words.ts';

const TONES = { running: 'wait', stopped: 'bad', done: 'good' } as const;

export const moveAddress = (planId: string, moveId: string): string => `${planAddress(planId)}/move/${moveId}`;

const moveBadge = ({ t }: Reader, { status }: { status: keyof typeof TONES }): Html => badge(TONES[status], t(`move.status_${status}`));

/** How far a move has come, what was refused, and the acts that it takes. */
export function moveContent(visit: Visit, view: MoveView): Html {
  const { t, visitor } = visit;
  const { move, plan } = view;
  const address = moveAddress(plan.id, move.id);
  const act = move.status === 'done' || visitor.scope !== 'full' ? null : move.status === 'running' ? 'stop' : 'resume';
  return html`<a class="up" href="${planAddress(plan.id)}">${catalogueName(plan)}</a>
<div class="title"><h1>${t('move.ask_title', { name: catalogueName(plan) })}</h1>${moveBadge(visit, move)}<p class="id">${move.id}</p></div>
<div class="columns"><div>
${progressSection(visit, view)}
${refusedSection(visit, view)}
</div><div>
${factsSection(visit, view)}
${act === null ? null : section('acts', t('act.title'), html`<div class="actions"><a class="button" href="${address}/${act}">${t(`move.${act}`)}</a></div>`)}
</div></div>`;
}

function progressSection({ t, format, path }: Visit, { move, progress }: MoveView): Html {
  const { moved, refused, total } = progress;
  const number = (count: number): string => format.number(String(count));
  const words = t('move.done_of', { done: number(moved), total: number(total), refused: number(refused) });
  return section(
    'progress',
    t('move.progress'),
    html`<p class="figure">${words}</p><progress max="${Math.max(1, total)}" value="${moved + refused}" aria-labelledby="progress">${words}</progress>
<dl class="sums"><dt>${t('move.done')}</dt><dd>${number(moved)}</dd><dt>${t('move.refused_count')}</dt><dd>${number(refused)}</dd><dt>${t('move.open')}</dt><dd>${number(Math.max(0, total - moved - refused))}</dd></dl>
${move.status === 'running' ? html`<div class="actions"><a class="button" href="${path}">${t('move.refresh')}</a></div>` : null}`,
  );
}

function factsSection({ t, format }: Visit, { move, plan, to }: MoveView): Html {
  const target = to.id === plan.id ? t('move.to_newest', { name: catalogueName(plan) }) : catalogueName(to);
  return section(
    'facts',
    t('plan.details_title'),
    html`<dl class="narrow"><dt>${t('move.to')}</dt><dd>${linkTo(planAddress(to.id), target)}</dd>
<dt>${t('move.when')}</dt><dd>${t(move.time === 'immediate' ? 'move.now' : 'move.next_cycle')}</dd>
<dt>${t('move.begun')}</dt><dd>${format.moment(move.created)}</dd>
${move.ended === null ? null : html`<dt>${t('move.ended')}</dt><dd>${format.moment(move.ended)}</dd>`}</dl>`,
  );
}

function refusedSection(visit: Visit, { refused, progress }: MoveView): Html | null {
  if (refused.length === 0) return null;
  const { t } = visit;
  const isCut = progress.refused > refused.length;
  return tableSection(visit, 'refused', t('move.refused_title'), {
    columns: [{ title: t('move.contract') }, { title: t('move.code') }],
    rows: refused.map(({ contractId, code }) => [objectLink(contractId), codeWords(code)]),
    foot: isCut ? html`<p class="soft">${t('move.first_refused', { count: REFUSED_ROWS })}</p>` : null,
  });
}

/** The moves of a plan, newest first. */
export function movesSection(visit: Visit, planId: string, moves: readonly PlanMoveRecord[]): Html | null {
  if (moves.length === 0) return null;
  const { t, format } = visit;
  return tableSection(visit, 'moves', t('plan.moves_title'), {
    columns: [
      { title: t('move.list_started') },
      { title: t('move.status') },
      { title: t('move.when') },
      { title: t('move.count'), number: true },
    ],
    rows: moves.map((move) => [
      linkTo(moveAddress(planId, move.id), format.moment(move.created)),
      moveBadge(visit, move),
      t(move.time === 'immediate' ? 'move.now' : 'move.next_cycle'),
      format.number(String(move.total)),
    ]),
  });
}
