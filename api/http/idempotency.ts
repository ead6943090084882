import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { leaseKey } from '../../db/idempotency/lease.ts';
import { endLease } from '../../db/sql/idempotency/end-lease.ts';
import { madeUnderKey } from '../../db/sql/idempotency/made-under-key.ts';
import { noteEffect } from '../../db/sql/idempotency/note-effect.ts';
import type { IdempotencyRef, Lease, StoredResponse } from '../../db/sql/idempotency/request.ts';
import { storeResponse } from '../../db/sql/idempotency/store-response.ts';
import type { ApiDependencies } from './dependencies.ts';
import { invalidField, Problem } from './problem.ts';

export type { IdempotencyRef } from '../../db/sql/idempotency/request.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const SECONDS = 1000;

/**
 * The reference of a request, null when it has no Idempotency-Key. A repeat must have the same path, query and body.
 */
export function referenceOf(
  key: string | undefined,
  vendorId: string,
  operation: string,
  target: string,
  body: Buffer,
  subject: string | null,
): IdempotencyRef | null {
  if (key === undefined) return null;
  if (!KEY.test(key)) {
    throw invalidField('Idempotency-Key', 'must have 1 to 255 visible ASCII characters');
  }
  return { vendorId, operation, key, subject, bodyHash: createHash('sha256').update(target).update('\n').update(body).digest('hex') };
}

/** A lease to run under, or the first response to give again. */
export async function leaseOrRepeat(db: Database, ref: IdempotencyRef): Promise<{ lease: Lease } | { repeat: StoredResponse }> {
  const leased = await leaseKey(db, ref, Date.now());
  switch (leased.outcome) {
    case 'leased':
      return { lease: leased.lease };
    case 'answered':
      if (leased.answer.secret) throw new Problem('secret_already_shown');
      return { repeat: leased.answer };
    case 'other_body':
      throw new Problem('idempotency_key_reused');
    case 'running':
      throw new Problem('idempotency_in_progress', undefined, {
        retryAfter: Math.max(1, Math.min(5, Math.ceil((leased.until - Date.now()) / SECONDS))),
      });
  }
}

/** Stores the response in the transaction of its effect; a lease lost meanwhile rolls the effect back. */
export async function storeWithEffect(tx: Queryable, lease: Lease, response: StoredResponse): Promise<void> {
  if (!(await storeResponse(tx, lease, response))) throw new Problem('idempotency_in_progress', undefined, { retryAfter: 1 });
}

/**
 * Notes the effect of a response that comes later, in the transaction of the effect. What another request has made
 * under the key, since the lease was lost, stands: then this effect is rolled back.
 */
export async function noteWithEffect(tx: Queryable, lease: Lease, effect: string): Promise<void> {
  if (await noteEffect(tx, lease, effect)) return;
  if ((await madeUnderKey(tx, lease)) !== effect) throw new Problem('idempotency_in_progress', undefined, { retryAfter: 1 });
}

/** Stores a refusal, unless another request has taken the key over: then the response of that one counts. */
export const storeRefusal = (db: Database, lease: Lease, response: StoredResponse): Promise<boolean> => storeResponse(db, lease, response);

/** Stores a response whose effect, if any, is committed already; one stored with the effect stands. */
export const storeAfterwards = (db: Database, lease: Lease, response: StoredResponse): Promise<boolean> =>
  storeResponse(db, { vendorId: lease.vendorId, operation: lease.operation, key: lease.key, bodyHash: lease.bodyHash }, response);

/**
 * An id for what a request makes before its response is stored: a repeat gets the same, as long as its key is kept.
 *
 * @param ref whose key is leased
 * @throws Problem `idempotency_in_progress` when the key was forgotten meanwhile
 */
export async function effectIdOf(db: Database, ref: IdempotencyRef, prefix: string): Promise<string> {
  const id = newId(prefix);
  if (await noteEffect(db, ref, id)) return id;
  const noted = await madeUnderKey(db, ref);
  if (noted === null) throw new Problem('idempotency_in_progress', undefined, { retryAfter: 1 });
  return noted;
}

/** The request itself is wrong, or its sender may not send it: nothing has begun. */
const NOTHING_BEGUN = new Set([400, 401, 413, 415, 429]);

/** Whether the same request may succeed after a while. */
export const isPassing = ({ status, retryAfter }: Problem): boolean => status >= 500 || retryAfter !== undefined;

/** Refusals are stored too, unless a later repeat may end otherwise, or the request itself has to be corrected. */
export const isFinal = (problem: Problem): boolean => !isPassing(problem) && !NOTHING_BEGUN.has(problem.status);

const TRY_AGAIN_MS = 500;
/** Where Postgres stands still, the caller has waited long enough for the work itself. */
const RELEASE_MS = 250;

/**
 * Gives a lease back, so that a repeat may run at once. Waits a moment for it; what takes longer goes on in the
 * background.
 *
 * @throws what Postgres answers in time; the lease is then given back as soon as it can be, or lapses
 */
async function releaseKeyLease(db: Database, lease: Lease): Promise<void> {
  const released = endLease(db, lease).catch((error: unknown) => {
    void releaseLater(db, lease);
    throw error;
  });
  const moment = new AbortController();
  await Promise.race([released, pause(RELEASE_MS, undefined, { ref: false, signal: moment.signal }).catch(() => undefined)]).finally(() =>
    moment.abort(),
  );
}

/** The same; where Postgres is away the lease lapses. */
export const releaseOrLapse = (lease: Lease, { db, log }: Pick<ApiDependencies, 'db' | 'log'>): Promise<void> =>
  releaseKeyLease(db, lease).catch((lost: unknown) => log.warn({ err: lost }, 'a lease could not be released and will lapse'));

async function releaseLater(db: Database, lease: Lease): Promise<void> {
  for (let released = false; !released && Date.now() < lease.leasedUntil; ) {
    await pause(TRY_AGAIN_MS, undefined, { ref: false });
    // what goes wrong was reported with the first try
    released = await endLease(db, lease).then(
      () => true,
      () => false,
    );
  }
}
