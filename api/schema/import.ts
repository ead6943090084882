import { z } from 'zod';
import { LARGEST_COUNT } from '../../billing/largest-count.ts';
import {
  Currency,
  CustomerId,
  Cycle,
  DecimalInput,
  DecimalText,
  idSchema,
  listOf,
  Name,
  needs,
  Timestamp,
  TimestampInput,
} from './common.ts';
import { namesCurrency, namesCycle, signFields, signsSameUnits } from './contract.ts';
import { CustomerRequest } from './customer.ts';
import { paginated } from './paging.ts';

export const ImportId = idSchema('Imp').meta({
  id: 'ImportId',
  description: 'Names an import of customers from another system, in calls about it.',
});

const ref = z.string().min(1).max(200).describe('Your own name of what the line makes. A repeat of the same line changes nothing.');
const lineCustomer = z
  .union([CustomerId, Name.min(1)])
  .describe('Whose it is: the `ref` of the line of a customer, or the id of a customer who is here already.');
const cyclesLeft = z.int().min(0).max(100_000).nullish();

const { id: _id, ...customerFields } = CustomerRequest.shape;

/** A customer of another system: the body that makes one. */
export const CustomerLine = z.strictObject({
  type: z.literal('customer'),
  ref,
  ...customerFields,
  status: z
    .enum(['active', 'temporary'])
    .nullish()
    .describe('active, absent or null: its invoices are collected; temporary: not before it is activated.'),
});

const {
  customer: _customer,
  is_pending: _isPending,
  free_trial_days: _freeTrialDays,
  payment_gate: _paymentGate,
  ...contractFields
} = signFields;

/** A contract of another system: the body that signs one, and how far it is billed. */
export const ContractLine = z
  .strictObject({
    type: z.literal('contract'),
    ref,
    customer: lineCustomer,
    ...contractFields,
    anchor: TimestampInput.nullish(),
    billed_until: TimestampInput.nullish(),
    custom_billed_until: TimestampInput.nullish(),
    trial_end: TimestampInput.nullish(),
    discount_cycles_left: cyclesLeft,
    free_cycles_left: cyclesLeft,
    credits_left: DecimalInput.nullish(),
  })
  .refine(namesCurrency, needs('currency'))
  .refine(namesCycle, needs('cycle'))
  .superRefine(signsSameUnits);

/** What a customer has in its wallet in another system. */
export const WalletLine = z.strictObject({
  type: z.literal('wallet'),
  ref,
  customer: lineCustomer,
  currency: Currency,
  amount: DecimalInput,
});

export const ImportLinesRequest = z
  .strictObject({
    lines: listOf(
      z.strictObject({
        number: z.int().min(1).max(LARGEST_COUNT).describe('Number of the line in its file. Sent again, it has to be the same line.'),
        line: z
          .unknown()
          .describe(
            'An object with `type` (`customer`, `contract` or `wallet`), `ref`, and the fields of the call that makes one; docs/import.md lists them. What is wrong with it is listed as refused.',
          ),
      }),
      1_000,
      1,
    ).describe('Lines of the file, in any order and at most 1 MiB of them.'),
  })
  .meta({ id: 'ImportLinesRequest', description: 'Lines to add to an import that is not started.' });

export const StartImportQuery = z.strictObject({
  dry_run: z.enum(['true', 'false']).optional().describe('true: nothing is written, and the response says what would be.'),
  after: z
    .string()
    .regex(/^\d{1,10}$/, 'must be the number of a line')
    .optional()
    .describe('Of a dry run: goes on behind this line, the `after` of the response before.'),
});

const ImportLineType = z.enum(['customer', 'contract', 'wallet', 'unreadable']);

const RefusedLine = z
  .object({
    line: z.int().min(1).describe('Its number in the file, from 1.'),
    type: ImportLineType.describe('What it says that it is; unreadable: none of the three.'),
    code: z.string().describe('Why it is refused: the code that the call alone would fail with, for example `plan_not_found`.'),
    problems: z
      .array(
        z.object({
          field: z.string().describe('The field to correct, or what the refusal is about.'),
          fix: z.string().describe('What is wrong, or what to give instead.'),
        }),
      )
      .describe('What to correct; empty where the code says it all.'),
  })
  .meta({ id: 'ImportRefusedLine', description: 'A line that is not imported.' });

const Counts = z.object({
  customers: z.int().min(0).describe('Made by lines with the type `customer`.'),
  contracts: z.int().min(0).describe('Signed by lines with the type `contract`.'),
  wallets: z.int().min(0).describe('Opening balances booked by lines with the type `wallet`.'),
});

export const ImportDryRun = z
  .object({
    made: Counts.describe('How many would be made.'),
    repeated: z.int().min(0).describe('How many lines say what was imported before.'),
    waiting: z
      .int()
      .min(0)
      .describe('How many lines wait for a test clock that advances: what they would make is not in here. Try again when it is ready.'),
    recurring: z
      .array(
        z.object({
          currency: Currency.describe('What these contracts are paid in.'),
          cycle: Cycle.describe('How often they are charged.'),
          contracts: z.int().min(0).describe('How many they are.'),
          total: DecimalText.describe('What they cost each cycle, before discounts and without usage.'),
        }),
      )
      .describe('Recurring prices, by currency and cycle.'),
    balances: z
      .array(
        z.object({
          currency: Currency.describe('The currency of these wallets.'),
          total: DecimalText.describe('What would come into them.'),
        }),
      )
      .describe('Money in wallets, by currency.'),
    refused: z
      .array(RefusedLine)
      .describe('Lines that would not be imported; of those that cannot be read the first 1,000, `…/refused` lists all of them.'),
    after: z.int().min(1).nullable().describe('null: that is all. A line: the rest takes another dry run with `after`; add the responses.'),
  })
  .meta({ id: 'ImportDryRun', description: 'What an import would do.' });

export const Import = z
  .object({
    id: ImportId.describe('Names the import in calls about it.'),
    status: z
      .enum(['open', 'running', 'stopped', 'done'])
      .describe(
        'open: takes lines; running: it goes on by itself; stopped: until it is resumed; done: each line has its outcome, or was dropped.',
      ),
    total: z.int().min(0).describe('How many lines it has.'),
    done: z.int().min(0).describe('How many are imported; with `repeated` and `refused_total` it comes to `total`.'),
    made: Counts.describe('What they have made.'),
    repeated: z.int().min(0).describe('How many lines say what was imported before: they change nothing.'),
    refused_total: z.int().min(0).describe('How many are refused; `…/refused` lists them.'),
    created: Timestamp.describe('When it was made, on the wall clock.'),
    ended: Timestamp.nullable().describe('When it was done; null until then.'),
  })
  .meta({ id: 'Import', description: 'An import of customers from another system, and how far it has come.' });

export const ImportStarted = z
  .union([Import, ImportDryRun])
  .meta({ id: 'ImportStarted', description: 'The import; of a dry run what it would do.' });

export const RefusedLinePage = paginated(RefusedLine, 'ImportRefusedLinePage');
