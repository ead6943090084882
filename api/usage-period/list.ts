import { z } from 'zod';
import { usagePeriodProjection } from '../../db/sql/projections.ts';
import { usagePeriodList } from '../../db/sql/usage/list-periods.ts';
import { readPeriodsUsage } from '../../services/usage/list-periods.ts';
import { pageOf } from '../example/page.ts';
import { junePeriodUsage } from '../example/usage.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { PageQuery } from '../schema/paging.ts';
import { UsagePeriodPage } from '../schema/usage.ts';
import { usagePeriodToWire } from '../wire/usage-period.ts';

export const listUsagePeriodsRoute = route({
  method: 'get',
  path: '/v1/c/contract/{contract_id}/usage_period',
  operationId: 'list_usage_periods',
  tag: 'Usage',
  summary: 'List the usage periods of a contract',
  description:
    'Each with its reported usage and price, of an open period as if nothing more came. Period 0 is the free trial: recorded, never billed.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  query: PageQuery,
  response: { 200: UsagePeriodPage },
  errors: ['contract_not_found', 'invalid_cursor'],
  example: { response: pageOf([junePeriodUsage]) },
  ownKeyCheck: true,
  run: async ({ vendor, apiKeyId, params, query }, deps) => {
    const request = { vendorId: vendor, keyId: apiKeyId, contractId: params.contract_id };
    const detail = await deps.contractReads.read(request);
    if (detail === null) throw new Problem('contract_not_found');
    const list = usagePeriodList(params.contract_id);
    const page = await listPage(deps, `usage_period ${params.contract_id}`, vendor, list, query, usagePeriodProjection.read);
    const usage = await readPeriodsUsage(deps.db, page.hits);
    return { ...page, hits: page.hits.map((period) => usagePeriodToWire(detail, usage, period)) };
  },
});
