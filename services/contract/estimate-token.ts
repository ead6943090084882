import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ChangeInput, ESTIMATE_LASTS_MS, type EstimateBasis } from './change.ts';

/** What an estimate's token says: the change it was made for, and what fixes it. */
export interface FixedEstimate {
  input: ChangeInput;
  basis: EstimateBasis;
}

interface Sealed extends FixedEstimate {
  holder: string;
}

/**
 * What fixes an estimate, signed, since it comes back from the caller. Its age is checked where the contract's clock is
 * read.
 *
 * @param holder who may use the token: the vendor (`Wbc_…`) in the API, the customer (`Cust_…`) in the portal
 */
export function sealEstimate(secret: string, holder: string, { input, basis }: FixedEstimate): { text: string; expires: number } {
  const payload = Buffer.from(JSON.stringify({ holder, input, basis } satisfies Sealed)).toString('base64url');
  return { text: `${payload}.${sign(secret, payload)}`, expires: basis.instant + ESTIMATE_LASTS_MS };
}

/** What a token says; null for a broken one and for that of another holder. */
export function openEstimate(secret: string, holder: string, token: string): FixedEstimate | null {
  const [payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined || !same(signature, sign(secret, payload))) return null;
  const sealed = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Sealed; // the signature is valid, so this process or another one of ours wrote it
  return sealed.holder === holder ? { input: sealed.input, basis: sealed.basis } : null;
}

const sign = (secret: string, payload: string): string => createHmac('sha256', secret).update(`estimate:${payload}`).digest('base64url');

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
