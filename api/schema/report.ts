import { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import { MRR_MOVES } from '../../billing/contract/mrr/moves.ts';
import { ACCOUNT_KINDS } from '../../db/entities/ledger.ts';
import {
  AnyTimestampInput,
  ClockId,
  ContractId,
  Currency,
  CustomerId,
  DecimalText,
  InvoiceId,
  idSchema,
  ifGiven,
  Timestamp,
} from './common.ts';
import { paginated, pagingQuery } from './paging.ts';

/** A date, which means its 00:00Z, or a date-time. */
const Moment = z
  .union([
    z.iso.date({ error: ifGiven('must be a date') }).refine((date) => !date.startsWith('0000'), 'must lie between the years 1 and 9999'),
    AnyTimestampInput,
  ])
  .transform((text) => at(text))
  .meta({ examples: ['2026-06-01'] });

const test_clock = ClockId.optional().describe(
  'Only customers on this test clock. Absent: only customers on the wall clock; those on test clocks are in no figure.',
);
const span = {
  from: Moment.describe('Where the span begins, included. A date means its 00:00Z.'),
  to: Moment.describe('Where it ends, not included.'),
};
const isSpan = ({ from, to }: { from: number; to: number }): boolean => from < to;
const after = { path: ['to'], error: 'must lie after `from`' };

/** The months of a report of revenue. */
const MOST_MONTHS = 600;
const MONTH = 28 * 86_400_000;

export const SpanQuery = z.strictObject({ ...span, test_clock }).refine(isSpan, after);
export const MonthsQuery = z
  .strictObject({ ...span, test_clock })
  .refine(isSpan, after)
  .refine(({ from, to }) => to - from <= MOST_MONTHS * MONTH, { path: ['to'], error: 'must lie at most 46 years after `from`' });
export const InstantQuery = z.strictObject({
  at: Moment.optional().describe('The instant, what happened at it included. Absent: now, on the clock that is asked for.'),
  test_clock,
});

const MoveKind = z.enum(MRR_MOVES).meta({
  id: 'MrrMoveKind',
  description:
    'new: a chain’s first amount above zero; expansion, contraction: from one amount above zero to a higher or lower one; churn: down to zero; reactivation: up from zero again.',
});
export const MoveQuery = z
  .strictObject({
    ...span,
    test_clock,
    move: MoveKind.optional().describe('Only moves of this kind.'),
    currency: Currency.optional().describe('Only moves in this currency.'),
    ...pagingQuery,
  })
  .refine(isSpan, after);

const spanShown = {
  from: Timestamp.describe('Where the span begins, included.'),
  to: Timestamp.describe('Where it ends, not included.'),
};
const ofCurrency = Currency.describe('Currency of the amounts here.');

export const MrrReport = z
  .object({
    ...spanShown,
    currencies: z
      .array(
        z.object({
          currency: ofCurrency,
          start: DecimalText.describe('The MRR at `from`.'),
          new: DecimalText.describe('From chains whose first amount above zero came in the span; a trial’s end counts.'),
          expansion: DecimalText.describe('From amounts that rose.'),
          contraction: DecimalText.describe('From amounts that fell, but not to zero; negative.'),
          churn: DecimalText.describe('From amounts that fell to zero: ends, freezes, free cycles; negative.'),
          reactivation: DecimalText.describe('From amounts that rose from zero again.'),
          end: DecimalText.describe('The MRR at `to`: `start` and all moves.'),
        }),
      )
      .describe('One entry for each in which anything was booked.'),
  })
  .meta({ id: 'MrrReport', description: 'How the monthly recurring revenue moved, by currency.' });

const MrrMove = z
  .object({
    at: Timestamp.describe('When it happened, on the customer’s clock.'),
    move: MoveKind.describe('What it is called.'),
    customer_id: CustomerId.describe('Whose contract it is.'),
    contract_id: ContractId.describe('The contract that it comes from: after a change the new one.'),
    chain_id: ContractId.describe('The first contract of its chain of changes.'),
    currency: ofCurrency,
    before: DecimalText.describe('The chain’s MRR in this currency before it.'),
    after: DecimalText.describe('What it has become by it.'),
    amount: DecimalText.describe('`after` less `before`.'),
  })
  .meta({ id: 'MrrMove', description: 'One change of a chain’s MRR, as it was booked when it happened.' });
export const MrrMovePage = paginated(MrrMove, 'MrrMovePage');

export const RevenueReport = z
  .object({
    ...spanShown,
    currencies: z
      .array(
        z.object({
          currency: ofCurrency,
          months: z
            .array(
              z.object({
                month: z
                  .string()
                  .regex(/^\d{4}-\d\d$/)
                  .describe('A calendar month in UTC.'),
                invoiced: DecimalText.describe('Invoices validated in it less credit notes, without tax.'),
                recognised: DecimalText.describe('What lines earn in it: straight along their spans, those without one when invoiced.'),
                deferred_end: DecimalText.describe('Invoiced by its end and not earned by then.'),
              }),
            )
            .describe('Those that the span touches, oldest first.'),
        }),
      )
      .describe('One entry for each in which anything was invoiced or earned.'),
  })
  .meta({ id: 'RevenueReport', description: 'Invoiced and earned revenue of each month that the span touches, by currency.' });

export const AgingReport = z
  .object({
    at: Timestamp.describe('The instant it shows.'),
    currencies: z
      .array(
        z.object({
          currency: ofCurrency,
          not_due: DecimalText.describe('Open and due on this day or later.'),
          d1_30: DecimalText.describe('Due 1 to 30 days ago.'),
          d31_60: DecimalText.describe('Due 31 to 60 days ago.'),
          d61_90: DecimalText.describe('Due 61 to 90 days ago.'),
          over_90: DecimalText.describe('Due longer ago.'),
        }),
      )
      .describe('One entry for each in which anything was open.'),
  })
  .meta({ id: 'AgingReport', description: 'What was not paid at an instant, by how long ago it was due (whole days, UTC).' });

const Account = z.enum(ACCOUNT_KINDS).meta({
  id: 'LedgerAccount',
  description:
    'receivable: what customers owe; wallet and credits: what is owed to them; revenue and tax: earned and collected; clearing: taken by providers; grants: given to wallets; openings: balances that imports took over; promotions: given as prepaid credits; breakage: bought credits that nobody has used; disputed: held back by providers; losses: kept by them.',
});

export const LedgerBalance = z
  .object({
    at: Timestamp.describe('The instant it shows, what happened at it included.'),
    accounts: z
      .array(
        z.object({
          account: Account.describe('The account, of all customers and providers together.'),
          currency: ofCurrency,
          balance: DecimalText.describe('Debits less credits.'),
        }),
      )
      .describe('By currency; the balances of a currency add up to zero.'),
  })
  .meta({ id: 'LedgerBalance', description: 'What each account of the books holds.' });

const TransactionId = idSchema('Txn');
export const PostingQuery = z.strictObject({
  account: Account.optional().describe('Only postings to this account.'),
  after: TransactionId.optional().describe('Only postings of transactions after this one.'),
  test_clock,
  ...pagingQuery,
});
const Posting = z
  .object({
    transaction_id: TransactionId.describe('What happened; its postings add up to zero.'),
    at: Timestamp.describe('When, on the customer’s clock.'),
    kind: z.string().describe('What happened, such as `invoice`, `payment`, `credit_note`, `wallet_settlement`.'),
    account: Account.describe('Where it is booked.'),
    owner: z
      .string()
      .nullable()
      .describe('Whose: a customer of `receivable` and `wallet`, a provider of `clearing` and `disputed`; else null.'),
    currency: ofCurrency,
    amount: DecimalText.describe('A debit is positive, a credit negative.'),
    customer_id: CustomerId.describe('Whose contract, invoice or wallet it is about.'),
    invoice_id: InvoiceId.nullable().describe('The invoice it is about; null for none.'),
  })
  .meta({ id: 'LedgerPosting', description: 'One entry in an account; never changed.' });
export const PostingPage = paginated(Posting, 'LedgerPostingPage');
