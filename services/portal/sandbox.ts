import type { Currency } from '../../billing/money/currency.ts';
import type { Database } from '../../db/connect.ts';
import { PaymentAttempt } from '../../db/entities/payment.ts';
import { isSandboxMethod, SANDBOX_METHOD_NAMES, type SandboxMethod } from '../../payments/sandbox/methods.ts';
import type { Payments } from '../payment/open-payments.ts';
import type { Session } from '../payment/session.ts';
import { sessionOfVisitor } from './methods.ts';
import type { PortalVisitor } from './token.ts';

interface Parts {
  db: Database;
  payments: Payments;
}

/** How a method of the sandbox behaves, which the customer chooses. */
export type SandboxChoice = SandboxMethod;

export const SANDBOX_CHOICES: readonly SandboxChoice[] = SANDBOX_METHOD_NAMES;

const sandboxOf = ({ payments: { providers } }: Parts) => (providers.has('sandbox') ? providers.get('sandbox') : null);

/** An open session of the visitor that the sandbox serves; null where there is none. */
export async function sandboxSession(parts: Parts, visitor: PortalVisitor, token: string): Promise<Session | null> {
  const session = await sessionOfVisitor(parts.db.em(), visitor, token);
  return session?.provider === 'sandbox' && session.status === 'pending' && sandboxOf(parts) !== null ? session : null;
}

/** Does what the customer does on a provider's page. `bank`: it has to confirm the same choice once more. */
export async function chooseInSandbox(
  parts: Parts,
  session: Session,
  choice: string,
): Promise<{ next: 'unknown' } | { next: 'done' } | { next: 'bank'; choice: SandboxChoice }> {
  if (!isSandboxMethod(choice)) return { next: 'unknown' };
  const outcome = await sandboxOf(parts)?.confirmSetup?.({ reference: session.reference, choice });
  return outcome?.status === 'pending' ? { next: 'bank', choice } : { next: 'done' };
}

/** A charge about which the customer's bank asks. */
export interface BankCharge {
  key: string;
  amount: string;
  currency: Currency;
  /** whether the bank still asks */
  waits: boolean;
  /** address to come back to */
  returnUrl: string;
  /** Does what the customer does on the bank's page. */
  decide(approved: boolean): Promise<void>;
}

/** The visitor's charge that the sandbox knows by this key; null when there is none that a bank asks about. */
export async function sandboxCharge(parts: Parts, visitor: PortalVisitor, key: string, now: number): Promise<BankCharge | null> {
  const { vendorId, customerId } = visitor;
  const step = sandboxOf(parts)?.secondStep;
  const attempt = await parts.db.em().findOne(PaymentAttempt, { vendorId, customerId, provider: 'sandbox', providerKey: key });
  if (step === undefined || attempt === null || attempt.returnUrl === null) return null;
  const { amount, currency, returnUrl } = attempt;
  const method = { reference: '', customerReference: null };
  const waits = (await step.pageOf({ key, reference: null, method, now })) !== null;
  return { key, amount, currency, waits, returnUrl, decide: async (approved) => step.decide?.({ key, approved }) };
}
