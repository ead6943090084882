import { z } from 'zod';
import { sealEstimate } from '../../services/contract/estimate-token.ts';
import { foreseeGate } from '../../services/payment-gate/foresee.ts';
import { exampleChangeRequest, exampleEstimate } from '../example/change.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { EstimateRequest, UpgradeEstimate } from '../schema/upgrade.ts';
import { changeFromWire } from '../wire/change.ts';
import { estimateToWire } from '../wire/estimate.ts';
import { changeErrors } from './upgrade-errors.ts';

export const estimateUpgradeRoute = route({
  method: 'post',
  path: '/v1/c/contract/{contract_id}/upgrade_estimate',
  operationId: 'estimate_upgrade',
  tag: 'Contracts',
  summary: 'Estimate an upgrade',
  description:
    'The same computation as the upgrade, line by line; nothing is written. `estimate_token` fixes the instant for ten minutes: an upgrade with it costs exactly this.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  body: EstimateRequest,
  response: { 200: UpgradeEstimate },
  unaudited: 'an estimate writes nothing',
  errors: changeErrors,
  example: { body: exampleChangeRequest, response: exampleEstimate },
  run: async ({ vendor, params, body }, { db, estimates, settings }) => {
    const input = changeFromWire(body);
    const { plan, basis } = await estimates.estimate(vendor, params.contract_id, input);
    const { contract } = plan.outcome.snapshot;
    const terms =
      body.payment_gate == null
        ? null
        : { now: basis.instant, hours: body.payment_gate.expires_in_hours, fromContractId: params.contract_id };
    const gate = terms === null ? null : await foreseeGate(db, contract, plan.outcome.effects, terms);
    return estimateToWire(plan, sealEstimate(settings.secret, vendor, { input, basis }), gate);
  },
});
