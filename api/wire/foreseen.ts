import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { invoicesMade } from '../../billing/contract/estimate/steps-ahead.ts';
import type { ContractGate } from '../../billing/contract/types.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { ForeseenCancellation } from '../../services/contract/estimate-cancel.ts';
import type { SigningPlan } from '../../services/contract/signing.ts';
import type { ForeseenInvoice, UpcomingInvoice as Upcoming } from '../../services/contract/upcoming-invoice.ts';
import type { CancelEstimate, SignEstimate, UpcomingInvoice } from '../schema/estimate.ts';
import { recurringPriceToWire } from './contract.ts';
import { givenToWire } from './credit.ts';
import { estimatedToWire, foreseenToWire, waitingItemToWire } from './invoice.ts';
import { gateToWire } from './payment-gate.ts';

/** The next invoice of a contract's chain; without one all that belongs to it is null or empty. */
export function upcomingToWire({ at, first, others, waiting }: Upcoming): z.input<typeof UpcomingInvoice> {
  const nothing = { invoice: null, invoice_items: [], amount_due: null };
  return {
    at: at === null ? null : iso(at),
    ...(first === null ? nothing : hitToCome(first)),
    others: others.map(hitToCome),
    waiting_items: waiting.map(waitingItemToWire),
  };
}

const hitToCome = (one: ForeseenInvoice) => ({ ...foreseenToWire(one.invoice, one.lines, one.status), amount_due: one.amountDue });

export const cancelEstimateToWire = ({
  at,
  invoices,
  credit,
  usage,
  total,
  creditsTakenBack,
}: ForeseenCancellation): z.input<typeof CancelEstimate> => ({
  at: at === null ? null : iso(at),
  invoices: invoices.map(estimatedToWire),
  credit,
  usage,
  total,
  credits_taken_back: creditsTakenBack,
});

/** The estimate of a signing, with the token that fixes its instant. */
export function signEstimateToWire(
  { contract, outcome }: SigningPlan,
  token: { text: string; expires: number },
  gate: Omit<ContractGate, 'contractId'> | null,
): z.input<typeof SignEstimate> {
  const invoices = invoicesMade(outcome);
  return {
    at: contract.activation === null ? null : iso(contract.activation),
    invoices: invoices.map(estimatedToWire),
    total: moneyText(sum(invoices.map(({ invoice }) => dec(invoice.total))), contract.terms.currency),
    recurring_price: recurringPriceToWire(contract),
    credits: outcome.effects.grants.map(givenToWire),
    awaiting_payment: gate === null ? null : gateToWire(gate),
    estimate_token: token.text,
    expires: iso(token.expires),
  };
}
