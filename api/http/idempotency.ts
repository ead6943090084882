import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Queryable } from '../../db/connect.ts';
import * as answers from '../../db/idempotency/answer.ts';
import { type Claim, claimKey, type IdempotencyRef, type StoredAnswer, storeAnswer } from '../../db/idempotency/answer.ts';
import { invalidField, Problem } from './problem.ts';

export type { Claim, IdempotencyRef } from '../../db/idempotency/answer.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const SECONDS = 1000;

/** The reference of a request, null when it has no Idempotency-Key. Path and query belong to what must be the same. */
export function referenceOf(
  key: string | undefined,
  vendorId: string,
  operation: string,
  target: string,
  body: Buffer,
): IdempotencyRef | null {
  if (key === undefined) return null;
  if (!KEY.test(key)) {
    throw invalidField('Idempotency-Key', 'must have 1 to 255 visible ASCII characters');
  }
  return { vendorId, operation, key, bodyHash: createHash('sha256').update(target).update('\n').update(body).digest('hex') };
}

/** A claim to run under, or the first answer to give again. */
export async function claimOrRepeat(db: Database, ref: IdempotencyRef): Promise<{ claim: Claim } | { repeat: StoredAnswer }> {
  const claimed = await claimKey(db, ref, Date.now());
  switch (claimed.outcome) {
    case 'claimed':
      return { claim: claimed.claim };
    case 'answered':
      if (claimed.answer.secret) throw new Problem('secret_already_shown');
      return { repeat: claimed.answer };
    case 'other_body':
      throw new Problem('idempotency_key_reused');
    case 'running':
      throw new Problem('idempotency_in_progress', undefined, {
        retryAfter: Math.max(1, Math.min(5, Math.ceil((claimed.until - Date.now()) / SECONDS))),
      });
  }
}

/** Stores the answer beside its effect; a claim lost meanwhile rolls the effect back. */
export async function storeWithEffect(tx: Queryable, claim: Claim, answer: StoredAnswer): Promise<void> {
  if (!(await storeAnswer(tx, claim, answer))) throw new Problem('idempotency_in_progress', undefined, { retryAfter: 1 });
}

/** Stores an answer whose effect, if any, is committed already; one stored with the effect stands. */
export const storeAfterwards = (db: Database, claim: Claim, answer: StoredAnswer): Promise<boolean> =>
  storeAnswer(db, { vendorId: claim.vendorId, operation: claim.operation, key: claim.key, bodyHash: claim.bodyHash }, answer);

/** What is wrong with the request itself, or with who sends it: nothing has begun. */
const NOTHING_BEGUN = new Set([400, 401, 413, 415, 429]);

/** Refusals are answers too, unless a later repeat may end otherwise, or the request itself has to be mended. */
export const isKept = (problem: Problem): boolean =>
  problem.status < 500 && !NOTHING_BEGUN.has(problem.status) && problem.retryAfter === undefined;

const TRY_AGAIN_MS = 500;

/**
 * Gives a claim back, so that a repeat may run at once.
 *
 * @throws whatever Postgres answers; the claim is then given back as soon as it can be, or lapses
 */
export async function releaseClaim(db: Database, claim: Claim): Promise<void> {
  try {
    await answers.releaseClaim(db, claim);
  } catch (error) {
    void releaseLater(db, claim);
    throw error;
  }
}

async function releaseLater(db: Database, claim: Claim): Promise<void> {
  for (let released = false; !released && Date.now() < claim.claimedUntil; ) {
    await pause(TRY_AGAIN_MS, undefined, { ref: false });
    // what goes wrong was told with the first try
    released = await answers.releaseClaim(db, claim).then(
      () => true,
      () => false,
    );
  }
}
