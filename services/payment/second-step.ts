import type { ChargeOutcome } from '../../billing/payment/types.ts';
import { NEEDS_ACTION } from '../../billing/payment/types.ts';
import type { Database } from '../../db/connect.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Attempt } from '../../db/sql/payment/attempt.ts';
import { attemptById } from '../../db/sql/payment/read-attempt.ts';
import { readMethodRef } from '../../db/sql/payment/read-method-ref.ts';
import type { Lookup, Provider } from '../../payments/port.ts';
import { OutcomeUnknown, ProviderUnavailable } from '../../payments/problem.ts';
import type { Payments } from './open-payments.ts';
import { recordAttempt } from './record-attempt.ts';

interface Parts {
  db: Database;
  payments: Payments;
}

/** Whether an attempt waits for its customer to confirm it at the bank. */
export const waitsForCustomer = ({ status, reason, returnUrl }: Pick<Attempt, 'status' | 'reason' | 'returnUrl'>): boolean =>
  status === 'processing' && reason === NEEDS_ACTION && returnUrl !== null;

/** The page on which the customer confirms an attempt; null: there is nothing to confirm. */
export async function confirmationPage(parts: Parts, attemptId: string): Promise<string | null> {
  const asked = await askable(parts, attemptId);
  return (await asked?.provider.secondStep?.pageOf(asked.lookup)) ?? null;
}

/**
 * Asks the provider about an attempt whose customer has come back, and writes what it says. While the provider doesn't
 * answer, or knows nothing new, the attempt stays as it is and the agenda has it asked about later.
 */
export async function lookUpAttempt(parts: Parts, attemptId: string): Promise<void> {
  const asked = await askable(parts, attemptId);
  if (asked === null) return;
  const outcome = await asked.provider.lookup(asked.lookup).catch(unanswered);
  if (outcome === null || (outcome.status === 'pending' && (outcome.reason ?? null) === asked.attempt.reason)) return;
  await write(parts, attemptId, outcome);
}

/** Ends an attempt that the customer hasn't confirmed, so that the invoice can be paid in another way. */
export async function giveUpAttempt(parts: Parts, attemptId: string): Promise<void> {
  const asked = await askable(parts, attemptId);
  if (asked === null || !waitsForCustomer(asked.attempt)) return;
  const outcome = (await asked.provider.secondStep?.giveUp(asked.lookup).catch(unanswered)) ?? null;
  if (outcome !== null) await write(parts, attemptId, outcome);
}

interface Asked {
  attempt: Attempt;
  provider: Provider;
  lookup: Lookup;
}

/** An open attempt whose provider was called, with what the provider is asked by; null: there is nothing to ask. */
async function askable({ db, payments }: Parts, attemptId: string): Promise<Asked | null> {
  const attempt = await attemptById(db, attemptId);
  if (attempt === null || attempt.status !== 'processing' || attempt.calledAt === null) return null;
  const method = attempt.methodId === null ? null : await readMethodRef(db, attempt.methodId);
  if (method === null || !payments.providers.has(attempt.provider)) return null;
  const { providerKey: key, reference } = attempt;
  const lookup = { key, reference, method, now: await nowOf(db, attempt.clockId) };
  return { attempt, provider: payments.providers.get(attempt.provider), lookup };
}

function unanswered(error: unknown): null {
  if (error instanceof OutcomeUnknown || error instanceof ProviderUnavailable) return null;
  throw error;
}

const write = ({ db, payments }: Parts, attemptId: string, outcome: ChargeOutcome) =>
  db.transaction((tx) => recordAttempt(tx, attemptId, outcome, payments.retryDays), { by: 'provider' });
