import { z } from 'zod';
import { grantsWithNow } from '../../db/credit/read.ts';
import { exampleGrant } from '../example/credit.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { CreditGrant, GrantId } from '../schema/credit.ts';
import { grantToWire } from '../wire/credit.ts';

export const readGrantRoute = route({
  method: 'get',
  path: '/v1/c/credit_grant/{grant_id}',
  operationId: 'get_credit_grant',
  tag: 'Credits',
  summary: 'Read a credit grant',
  description: 'With what is left of it, its life with freezes included, and where it stands.',
  scope: 'read',
  params: z.object({ grant_id: GrantId }),
  response: { 200: CreditGrant },
  errors: ['credit_grant_not_found'],
  example: { response: exampleGrant },
  run: async ({ vendor, params }, { db }) => {
    const found = (await grantsWithNow(db, vendor, [params.grant_id])).get(params.grant_id);
    if (found === undefined) throw new Problem('credit_grant_not_found');
    return grantToWire(found.grant, found.now);
  },
});
