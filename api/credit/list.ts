import { grantsWithNow } from '../../db/credit/read.ts';
import { grantList } from '../../db/sql/credit/list.ts';
import { exampleGrant } from '../example/credit.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { GrantPage, GrantSearch } from '../schema/credit.ts';
import { grantToWire } from '../wire/credit.ts';

export const listGrantsRoute = route({
  method: 'get',
  path: '/v1/c/credit_grant',
  operationId: 'list_credit_grants',
  tag: 'Credits',
  summary: 'List credit grants',
  description: 'Oldest first, used and expired ones included.',
  scope: 'read',
  query: GrantSearch,
  response: { 200: GrantPage },
  errors: ['invalid_cursor'],
  example: { response: pageOf([exampleGrant]) },
  run: async ({ vendor, query }, deps) => {
    const page = await listPage<{ id: string }, string>(deps, 'credit_grant', vendor, grantList(vendor, query), query, ({ id }) => id);
    const grants = await grantsWithNow(deps.db, vendor, page.hits);
    return { ...page, hits: page.hits.flatMap((id) => [grants.get(id) ?? []].flat().map(({ grant, now }) => grantToWire(grant, now))) };
  },
});
