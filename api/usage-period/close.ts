import { z } from 'zod';
import { closeUsagePeriod } from '../../services/contract/close-usage-period.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { ContractId, Nothing } from '../schema/common.ts';

const Idx = z
  .string()
  .regex(/^\d{1,6}$/, 'must be the index of a usage period')
  .transform(Number)
  .meta({ type: 'integer', minimum: 0, pattern: undefined, description: 'Number of the usage period in the contract, `idx` in the list.' });

export const closeUsagePeriodRoute = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/usage_period/{idx}/close',
  operationId: 'close_usage_period',
  tag: 'Usage',
  summary: 'Close a usage period',
  description: 'Needed under policy `manual`, else possible early: a period that still runs is charged whole and takes no more.',
  scope: 'full',
  params: z.object({ contract_id: ContractId, idx: Idx }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: ContractId },
  errors: [
    'contract_not_found',
    'usage_period_not_found',
    'period_closed',
    'contract_state',
    'awaiting_payment',
    'customer_frozen',
    'customer_erased',
    'clock_advancing',
    'change_in_progress',
  ],
  example: { body: {}, response: ids.contract },
  queue: (params) => params.contract_id,
  write: async ({ vendor, params, tx }) => {
    const call = { vendorId: vendor, contractId: params.contract_id };
    await closeUsagePeriod(tx, call, params.idx);
    return params.contract_id;
  },
});
