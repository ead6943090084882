import { estimateSigning } from '../../services/contract/estimate-sign.ts';
import { sealSigning } from '../../services/contract/estimate-token.ts';
import { foreseeGate } from '../../services/payment-gate/foresee.ts';
import { exampleSignRequest } from '../example/contract.ts';
import { exampleSignEstimate } from '../example/estimate.ts';
import { route } from '../http/route.ts';
import { SignEstimateRequest } from '../schema/contract.ts';
import { SignEstimate } from '../schema/estimate.ts';
import { signEstimateToWire } from '../wire/foreseen.ts';
import { signFromWire } from '../wire/sign.ts';
import { signErrors } from './sign-errors.ts';

export const estimateSigningRoute = route({
  method: 'post',
  path: '/v1/c/contract_estimate',
  operationId: 'estimate_signing',
  tag: 'Contracts',
  summary: 'Estimate a signing',
  description:
    'The same computation as signing, line by line; nothing is written. `estimate_token` fixes the instant for ten minutes: signing with it costs exactly this.',
  scope: 'read',
  body: SignEstimateRequest,
  response: { 200: SignEstimate },
  unaudited: 'an estimate writes nothing',
  errors: signErrors,
  example: { body: exampleSignRequest, response: exampleSignEstimate },
  run: async ({ vendor, body }, { db, settings }) => {
    const input = signFromWire(body, vendor);
    const plan = await estimateSigning(db, input);
    const hours = body.payment_gate?.expires_in_hours ?? null;
    const terms = hours === null ? null : { now: plan.basis.instant, hours, fromContractId: null };
    const gate = terms === null ? null : await foreseeGate(db, plan.contract, plan.outcome.effects, terms);
    return signEstimateToWire(plan, sealSigning(settings.secret, vendor, { input, basis: plan.basis }), gate);
  },
});
