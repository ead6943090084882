import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/connect.ts';
import { isReady } from '../../db/contract/detail.ts';
import { takeFirstStep } from '../../db/contract/first-step.ts';
import { signContract } from '../../db/contract/sign.ts';
import { route } from '../http/route.ts';
import { signFromWire } from '../present/sign.ts';
import { ContractId } from '../schema/common.ts';
import { SignRequest } from '../schema/contract.ts';

const PATIENCE_MS = 2_000;
const STEP_MS = 15;

export const sign = route({
  method: 'post',
  path: '/v1/c/contract',
  operationId: 'sign_contract',
  tag: 'Contracts',
  summary: 'Sign a contract',
  description:
    'Binds a customer to a plan. Answers when the first period and its invoice are written; while Temporal is away at once, with status `not_ready`.',
  scope: 'full',
  body: SignRequest,
  answer: { 201: ContractId },
  errors: [
    'customer_not_found',
    'customer_frozen',
    'clock_advancing',
    'plan_not_found',
    'plan_archived',
    'pricing_not_found',
    'discount_not_found',
    'discount_archived',
    'contract_exists',
    'usage_feature_taken',
  ],
  example: {
    body: {
      customer: 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
      plan: 'Plan_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
      currency: 'usd',
      cycle: 'month',
      unit_count_configuration: { seats: '5' },
    },
  },
  write: async ({ vendor, body, tx, afterCommit }, { db, contracts }) => {
    const { contract, wishes } = await signContract(tx, signFromWire(body, vendor));
    afterCommit(async () => {
      await contracts.deliver(wishes);
      if (!(await isSoonReady(db, contract.id))) await contracts.deliver(await takeFirstStep(db, contract.id));
    });
    return contract.id;
  },
});

/** The first step is the workflow's; what it wrote is readable when we answer. */
async function isSoonReady(db: Database, contractId: string): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isReady(db, contractId))) {
    if (Date.now() > deadline) return false;
    await pause(STEP_MS);
  }
  return true;
}
