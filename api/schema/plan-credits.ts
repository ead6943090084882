import { z } from 'zod';
import { Currency, DecimalInput, DecimalText, Timestamp } from './common.ts';

const LASTS = { least: 1, most: 1_000 };
const CYCLES_LASTED = 'For how many cycles they last, that in which they are given included.';
const LASTS_ON = 'The most of what is left at the end that lasts as long again, once';

export const PlanCreditsRequest = z
  .strictObject({
    amount: DecimalInput.describe('How much is given with each cycle: more than zero, with no more digits than the currency has.'),
    expires_after_cycles: z.int().min(LASTS.least).max(LASTS.most).describe(CYCLES_LASTED),
    rollover_maximum: DecimalInput.nullish().describe(`${LASTS_ON}; null or absent: nothing does.`),
  })
  .meta({ id: 'PlanCreditsRequest', description: 'Prepaid credits that come with each cycle of a plan.' });

export const PlanCredits = z
  .object({
    amount: DecimalText.describe('How much is given with each cycle.'),
    expires_after_cycles: z.int().describe(CYCLES_LASTED),
    rollover_maximum: DecimalText.nullable().describe(`${LASTS_ON}; null: nothing does.`),
  })
  .meta({ id: 'PlanCredits', description: 'Prepaid credits that come with each cycle of a plan.' });

export const GivenCredits = z
  .object({
    amount: DecimalText.describe('How much is given.'),
    currency: Currency.describe('They pay in this one alone.'),
    effective_at: Timestamp.describe('When their life begins.'),
    expires_at: Timestamp.nullable().describe('When it ends; null: that is not known.'),
  })
  .meta({ id: 'GivenCredits', description: 'Prepaid credits that a plan gives.' });

export const CreditsMoved = z
  .object({
    given: z.array(GivenCredits).describe('Those of the new plan for the rest of the cycle, less those taken back; empty for none.'),
    taken_back: DecimalText.nullable().describe(
      'How much of the current plan’s goes back, less those given, as far as it is left by then; null for none.',
    ),
  })
  .meta({ id: 'CreditsMoved', description: 'What a change does to the prepaid credits that come with plans: they follow the prices.' });
