import { hasTransaction } from '../../db/ledger/exists.ts';
import { type ListedPosting, postingList } from '../../db/sql/figure/list-postings.ts';
import { figureOwner } from '../../services/report/owner.ts';
import { pageOf } from '../example/page.ts';
import { examplePostings } from '../example/report.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { PostingPage, PostingQuery } from '../schema/report.ts';
import { postingToWire } from '../wire/posting.ts';

export const listPostingsRoute = route({
  method: 'get',
  path: '/v1/c/ledger',
  operationId: 'list_ledger_postings',
  tag: 'Reports',
  summary: 'List the postings of the books',
  description:
    'In the order of their instants, those of one transaction together. A transaction is dated on its customer’s clock, so what is done late is dated before what was read already.',
  scope: 'read',
  query: PostingQuery,
  response: { 200: PostingPage },
  errors: ['invalid_cursor', 'test_clock_not_found', 'transaction_not_found'],
  example: { response: pageOf(examplePostings) },
  run: async ({ vendor, query }, deps) => {
    const owner = await figureOwner(deps.db, vendor, query.test_clock);
    if (query.after !== undefined && !(await hasTransaction(deps.db.em(), owner, query.after))) throw new Problem('transaction_not_found');
    const list = postingList(owner, query);
    return listPage<ListedPosting, ReturnType<typeof postingToWire>>(deps, 'ledger', vendor, list, query, postingToWire);
  },
});
