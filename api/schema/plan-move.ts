import { z } from 'zod';
import { ContractId, Currency, DecimalText, idSchema, listOf, PlanId, Timestamp } from './common.ts';
import { paginated } from './paging.ts';

export const PlanMoveId = idSchema('Move').meta({ id: 'PlanMoveId', description: 'Id of a move of a plan’s contracts.' });

const When = z
  .enum(['now', 'next_cycle'])
  .describe(
    'now: as an upgrade with the activation `immediate`, so a downgrade still waits for the end of its cycle; next_cycle: when each contract’s next cycle starts.',
  );

export const PlanMoveRequest = z
  .strictObject({
    to: PlanId.nullish().describe('The plan to move to; absent or null: the newest version of the same plan.'),
    when: When,
    contracts: listOf(ContractId, 1_000, 1)
      .nullish()
      .describe(
        'Only these contracts of the plan; absent or null: all that are not ended. One of another plan is a 400, an unknown one a 404.',
      ),
  })
  .meta({ id: 'PlanMoveRequest', description: 'Which contracts of a plan are moved, to what, and when.' });

export const PlanMoveQuery = z.strictObject({
  dry_run: z.enum(['true', 'false']).optional().describe('true: nothing is changed, and the response says what would be.'),
  after: ContractId.optional().describe('Of a dry run: goes on behind this contract, the `after` of the response before.'),
});

const Refused = z
  .object({
    contract: ContractId.describe('The contract that is not moved.'),
    code: z
      .string()
      .describe(
        'Why not: the code that a change of it alone would fail with, for example `customer_frozen`; in a dry run also `catching_up`: very late, and brought up to date before it is moved.',
      ),
  })
  .meta({ id: 'PlanMoveRefused', description: 'A contract that a move leaves as it is.' });

export const PlanMoveDryRun = z
  .object({
    contracts: z.int().min(0).describe('How many contracts would be moved.'),
    totals: z
      .array(
        z.object({
          currency: Currency.describe('What these contracts are paid in.'),
          total: DecimalText.describe('What their changes cost now: the sum of `total` of their estimates.'),
          later: DecimalText.describe('What the first invoices of those changes cost that wait for the end of a cycle.'),
        }),
      )
      .describe('What it would cost, by currency.'),
    refused: z.array(Refused).describe('Contracts that would not be moved.'),
    after: ContractId.nullable().describe(
      'null: that is all. A contract: the rest takes another dry run with `after`; add the responses together.',
    ),
  })
  .meta({ id: 'PlanMoveDryRun', description: 'What a move of a plan’s contracts would do.' });

export const PlanMoveStarted = z
  .union([PlanMoveId, PlanMoveDryRun])
  .meta({ id: 'PlanMoveStarted', description: 'Id of the move; of a dry run what the move would do.' });

export const PlanMove = z
  .object({
    id: PlanMoveId.describe('Names the move in calls about it.'),
    plan: PlanId.describe('The plan whose contracts are moved.'),
    to: PlanId.describe('The plan they are moved to; the same one for its newest version.'),
    when: When,
    status: z
      .enum(['running', 'stopped', 'done'])
      .describe('running: it goes on by itself; stopped: until it is resumed; done: each contract is moved or refused.'),
    total: z.int().min(0).describe('How many contracts it has; just counted until the first of them is moved.'),
    done: z.int().min(0).describe('How many are moved; with `refused_total` it comes to `total`.'),
    refused_total: z.int().min(0).describe('How many are refused.'),
    refused: z.array(Refused).describe('The first 1,000 that are refused, in the order in which they were; `…/refused` lists all of them.'),
    created: Timestamp.describe('When it was started, on the wall clock.'),
    ended: Timestamp.nullable().describe('When it was done; null until then.'),
  })
  .meta({ id: 'PlanMove', description: 'A move of a plan’s contracts, and how far it has come.' });

export const RefusedPage = paginated(Refused, 'PlanMoveRefusedPage');
