import { z } from 'zod';
import { readContractUsage } from '../../db/usage/periods.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { presentPeriods } from '../present/usage-period.ts';
import { ContractId } from '../schema/common.ts';
import { UsagePeriods } from '../schema/usage.ts';

export const listUsagePeriods = route({
  method: 'get',
  path: '/v1/c/contract/{contract_id}/usage_period',
  operationId: 'list_usage_periods',
  tag: 'Usage',
  summary: 'List the usage periods of a contract',
  description: 'With what was reported in each, priced as if an open one ended now. Period 0 is the free trial: recorded, never billed.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  answer: { 200: UsagePeriods },
  errors: ['contract_not_found'],
  example: {},
  run: async ({ vendor, params }, { db }) => {
    const usage = await readContractUsage(db, vendor, params.contract_id);
    if (usage === null) throw new Problem('contract_not_found');
    return presentPeriods(usage);
  },
});
