import type { z } from 'zod';
import type { ImportStanding } from '../../billing/contract/terms/standing.ts';
import type { ImportLineType } from '../../db/entities/import.ts';
import { blankCustomer } from '../../services/customer/save.ts';
import type { LineCustomer, LineInput, ReadLine } from '../../services/import/line.ts';
import { REGISTERED } from '../../services/import/make.ts';
import { fingerprintOfLine, refKeyOf } from '../../services/import/ref.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { parseWith } from '../http/validation-error.ts';
import { CustomerId } from '../schema/common.ts';
import { ContractLine, CustomerLine, WalletLine } from '../schema/import.ts';
import { customerFromWire } from './customer.ts';
import { requireMoney } from './money-given.ts';
import { instantOrNull, signFromWire } from './sign.ts';

/** Reads a line by the rules of the call that makes the same; what is wrong with it becomes what it is refused for. */
export function lineFromWire(vendorId: string, { number, line }: { number: number; line?: unknown }): ReadLine {
  const said = { number, type: typeOf(line), refKey: null, fingerprint: fingerprintOfLine(vendorId, line) };
  try {
    const { ref, input } = READ[said.type](vendorId, line);
    return { ...said, refKey: refKeyOf(vendorId, said.type, ref), input };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ...said, problems: Object.entries(error.feedback).map(([field, { value }]) => ({ field, fix: value })) };
  }
}

type Read = (vendorId: string, line: unknown) => { ref: string; input: LineInput };

const READ: Readonly<Record<ImportLineType, Read>> = {
  customer: (vendorId, line) => {
    const { ref, type: _, status, ...body } = parseWith(CustomerLine, line, 'line');
    const customer = customerFromWire(body, blankCustomer(vendorId, body.test_clock ?? null, 0));
    return { ref, input: { type: 'customer', customer: status === 'temporary' ? customer : { ...customer, status: REGISTERED } } };
  },
  contract: (vendorId, line) => {
    const body = parseWith(ContractLine, line, 'line');
    const { customerId: _, ...signing } = signFromWire({ ...body, customer: '' }, vendorId);
    const standing = standingFromWire(body);
    const input = { customer: customerOf(vendorId, body.customer), signing: standing === null ? signing : { ...signing, standing } };
    return { ref: body.ref, input: { type: 'contract', ...input } };
  },
  wallet: (vendorId, line) => {
    const body = parseWith(WalletLine, line, 'line');
    requireMoney(body);
    const { ref, currency, amount } = body;
    const customer = customerOf(vendorId, body.customer);
    return { ref, input: { type: 'wallet', customer, currency, amount } };
  },
  unreadable: (_vendorId, line) => {
    if (typeof line !== 'object' || line === null || Array.isArray(line)) throw invalidField('line', 'must be a JSON object');
    throw invalidField('type', 'must be customer, contract or wallet');
  },
};

function typeOf(line: unknown): ImportLineType {
  const type = typeof line === 'object' && line !== null && 'type' in line ? line.type : null;
  return type === 'customer' || type === 'contract' || type === 'wallet' ? type : 'unreadable';
}

const customerOf = (vendorId: string, customer: string): LineCustomer =>
  CustomerId.safeParse(customer).success ? { id: customer } : { refKey: refKeyOf(vendorId, 'customer', customer) };

/** null: the line says nothing of how far it is billed. */
function standingFromWire(body: z.output<typeof ContractLine>): ImportStanding | null {
  const { anchor, billed_until, custom_billed_until, trial_end, discount_cycles_left, free_cycles_left, credits_left } = body;
  const given = [anchor, billed_until, custom_billed_until, trial_end, discount_cycles_left, free_cycles_left, credits_left];
  if (given.every((one) => one == null)) return null;
  if (body.activation != null) throw invalidField('activation', 'leave it out: the contract has begun, as anchor or trial_end says');
  return {
    anchor: instantOrNull(anchor, 'anchor'),
    billedUntil: instantOrNull(billed_until, 'billed_until'),
    customBilledUntil: instantOrNull(custom_billed_until, 'custom_billed_until'),
    trialEnd: instantOrNull(trial_end, 'trial_end'),
    discountCyclesLeft: discount_cycles_left ?? null,
    freeCyclesLeft: free_cycles_left ?? null,
    creditsLeft: credits_left ?? null,
  };
}
