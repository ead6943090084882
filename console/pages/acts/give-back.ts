import { BillingError, type FieldProblem } from '../../../billing/problem.ts';
import type { Form } from '../../../portal/http/form.ts';
import {
  type GiveBackBasis,
  type GiveBackRequest,
  giveBackAsShown,
  giveBackBasis,
  giveBackPreview,
  namesOfLines,
} from '../../../services/console/give-back.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { isConsoleKey } from '../../messages/pages.ts';
import { invoiceAddress } from '../links.ts';
import { askForAmounts, askToGiveBack, ITEM_FIELD, isByLine, MOST_LINES, type Way } from './give-back-view.ts';

const FIELDS = ['to', 'by', 'amount', ITEM_FIELD, 'notes'];

/** What may be given back of an invoice: by the way it was paid, or by a credit note of any kind. */
export const giveBackActs = [
  ...onAct('/invoice/:id/refund', (visit) => ask(visit, 'refund'), giveBack, FIELDS),
  ...onAct('/invoice/:id/credit_note', (visit) => ask(visit, 'credit_note'), giveBack, FIELDS),
];

/** First asks how much; with an amount in the address shows what that comes to. */
async function ask(visit: Visit, way: Way): Promise<ConsoleResponse> {
  const { db, visitor, param, query } = visit;
  const isAsked = query('next') !== '';
  const lines = isByLine(visit, way) ? { after: query('after') || null } : isAsked ? 'all' : 'none';
  const basis = await giveBackBasis(db, visitor.vendorId, param('id'), lines);
  if (basis === null) return noSuchPage;
  if (!isAsked || (basis.isLong && lines === 'all')) return askForAmounts(visit, way, basis, new Map());
  const request = requestOf(way, query, itemsOf(basis, query));
  try {
    const preview = giveBackPreview(basis, request);
    const shown = preview.note.items.slice(0, MOST_LINES).map(({ lineId }) => lineId);
    return askToGiveBack(visit, way, { ...basis, names: await namesOfLines(db, shown) }, request, preview);
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    return askForAmounts(visit, way, basis, errorsOf(visit, basis, request, error.problems));
  }
}

type Items = { lineId: string; amount: string }[];

/** The lines that an amount was typed for. */
function itemsOf({ found }: GiveBackBasis, text: (name: string) => string): Items {
  const typed = found.lines.map(({ id }) => ({ lineId: id, amount: text(`${ITEM_FIELD}${id}`) }));
  return typed.filter(({ amount }) => amount !== '');
}

function requestOf(way: Way, text: (name: string) => string, items: Items): GiveBackRequest {
  const to = way === 'refund' || text('to') === 'payment' ? 'payment' : 'wallet';
  return { to, what: text('by') === 'lines' ? { items } : { amount: text('amount') } };
}

/** What is wrong, beside the field that it is about; what is too much in all stands at the first. */
function errorsOf(
  { t, format }: Visit,
  { found, most }: GiveBackBasis,
  { to, what }: GiveBackRequest,
  problems: readonly FieldProblem[],
): Map<string, string> {
  const limit = format.money(to === 'payment' ? most.payment : most.total, found.currency);
  const items = 'items' in what ? what.items : null;
  const first = items === null ? 'amount' : `${ITEM_FIELD}${items[0]?.lineId ?? found.lines[0]?.id ?? ''}`;
  return new Map(
    problems.map(({ field, code, message }) => {
      const item = items?.[Number(/^items\[(\d+)\]/.exec(field)?.[1] ?? Number.NaN)];
      const key = `wrong.${code}`;
      const text = isConsoleKey(key) ? t(key, { name: t('invoice.amount'), most: limit }) : message;
      return [item === undefined ? first : `${ITEM_FIELD}${item.lineId}`, text];
    }),
  );
}

/** Gives back what the page has shown, and nothing else. */
async function giveBack(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { db, asker, visitor, param, path } = visit;
  const way = path.endsWith('/refund') ? 'refund' : 'credit_note';
  const typed = form.entries().filter(([name, value]) => name.startsWith(ITEM_FIELD) && value !== '');
  const items = typed.map(([name, amount]) => ({ lineId: name.slice(ITEM_FIELD.length), amount }));
  const request = { ...requestOf(way, form.text, items), notes: form.text('notes') || null };
  await giveBackAsShown({ db, asker }, { vendorId: visitor.vendorId, invoiceId: param('id') }, request, form.text('shown'));
  return goTo(invoiceAddress(param('id')), { key: `give_back.${way}_done` });
}
