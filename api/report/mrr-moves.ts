import { iso } from '../../billing/calendar/instant.ts';
import { moneyText } from '../../billing/money/round.ts';
import { type ListedMove, moveList } from '../../db/sql/mrr/list-moves.ts';
import { figureOwner } from '../../services/report/owner.ts';
import { pageOf } from '../example/page.ts';
import { exampleMove } from '../example/report.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { MoveQuery, MrrMovePage } from '../schema/report.ts';

export const listMrrMovesRoute = route({
  method: 'get',
  path: '/v1/c/report/mrr/contract',
  operationId: 'list_mrr_moves',
  tag: 'Reports',
  summary: 'List the contracts behind the MRR',
  description: 'Each move that the report adds up, in the order in which they happened.',
  scope: 'read',
  query: MoveQuery,
  response: { 200: MrrMovePage },
  errors: ['invalid_cursor', 'test_clock_not_found'],
  example: { response: pageOf([exampleMove]) },
  run: async ({ vendor, query }, deps) => {
    const list = moveList(await figureOwner(deps.db, vendor, query.test_clock), query);
    return listPage<ListedMove, ReturnType<typeof toWire>>(deps, 'mrr', vendor, list, query, toWire);
  },
});

const toWire = ({ at, kind, customer_id, contract_id, root_id, currency, before, after, amount }: ListedMove) => ({
  at: iso(at),
  move: kind,
  ...{ customer_id, contract_id, chain_id: root_id, currency },
  ...{ before: moneyText(before, currency), after: moneyText(after, currency), amount: moneyText(amount, currency) },
});
