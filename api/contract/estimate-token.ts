import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ChangeWish, EstimateBasis } from '../../db/contract/change.ts';
import { invalidField, Problem } from '../http/problem.ts';

const LASTS_MS = 600_000;

interface Sealed {
  vendor: string;
  wish: ChangeWish;
  basis: EstimateBasis;
  expires: number;
}

/** What fixes an estimate, signed, so that it can be taken back from the caller. Lasts ten minutes of the wall clock. */
export function sealEstimate(secret: string, vendor: string, wish: ChangeWish, basis: EstimateBasis): { text: string; expires: number } {
  const expires = Date.now() + LASTS_MS;
  const payload = Buffer.from(JSON.stringify({ vendor, wish, basis, expires } satisfies Sealed)).toString('base64url');
  return { text: `${payload}.${sign(secret, payload)}`, expires };
}

/** The basis of an estimate that still holds for this very change; 400 for a broken token, 409 for one of the past or of another change. */
export function openEstimate(secret: string, vendor: string, wish: ChangeWish, token: string): EstimateBasis {
  const [payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined || !same(signature, sign(secret, payload))) {
    throw invalidField('estimate_token', 'is not a token of an estimate');
  }
  const sealed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Sealed; // ours: the signature holds
  if (sealed.vendor !== vendor) throw invalidField('estimate_token', 'is not a token of an estimate');
  if (sealed.expires <= Date.now()) throw new Problem('estimate_outdated', 'The estimate is older than ten minutes.');
  if (JSON.stringify(sealed.wish) !== JSON.stringify(wish))
    throw new Problem('estimate_outdated', 'The estimate was made for another change.');
  return sealed.basis;
}

const sign = (secret: string, payload: string): string => createHmac('sha256', secret).update(`estimate:${payload}`).digest('base64url');

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
