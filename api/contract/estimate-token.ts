import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ChangeInput, ESTIMATE_LASTS_MS, type EstimateBasis } from '../../services/contract/change.ts';
import { invalidField, Problem } from '../http/problem.ts';

interface Sealed {
  vendor: string;
  input: ChangeInput;
  basis: EstimateBasis;
}

/**
 * What fixes an estimate, signed, since it comes back from the caller.
 * Its age is checked where the contract's clock is read.
 */
export function sealEstimate(secret: string, vendor: string, input: ChangeInput, basis: EstimateBasis): { text: string; expires: number } {
  const payload = Buffer.from(JSON.stringify({ vendor, input, basis } satisfies Sealed)).toString('base64url');
  return { text: `${payload}.${sign(secret, payload)}`, expires: basis.instant + ESTIMATE_LASTS_MS };
}

/** The basis of the estimate of this same change; 400 for a broken token, 409 for a token of another change. */
export function openEstimate(secret: string, vendor: string, input: ChangeInput, token: string): EstimateBasis {
  const [payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined || !same(signature, sign(secret, payload))) {
    throw invalidField('estimate_token', 'is not a token of an estimate');
  }
  const sealed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Sealed; // the signature is valid, so this process or another one of ours wrote it
  if (sealed.vendor !== vendor) throw invalidField('estimate_token', 'is not a token of an estimate');
  if (JSON.stringify(sealed.input) !== JSON.stringify(input))
    throw new Problem('estimate_outdated', 'The estimate was made for another change.');
  return sealed.basis;
}

const sign = (secret: string, payload: string): string => createHmac('sha256', secret).update(`estimate:${payload}`).digest('base64url');

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
