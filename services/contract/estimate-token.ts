import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ChangeInput, EstimateBasis } from './change.ts';
import { ESTIMATE_LASTS_MS } from './fingerprint.ts';
import type { SignBasis, SignContractInput } from './signing.ts';

/** What an estimate's token says of a change: the change it was made for, and what fixes it. */
export interface FixedEstimate {
  input: ChangeInput;
  basis: EstimateBasis;
}

/** The same for a signing. */
export interface FixedSigning {
  input: SignContractInput;
  basis: SignBasis;
}

type Kind = 'estimate' | 'sign_estimate';
type Sealed<F> = F & { holder: string };

/**
 * What fixes an estimate, signed, since it comes back from the caller. Its age is checked where the contract's clock is
 * read.
 *
 * @param holder who may use the token: the vendor (`Wbc_…`) in the API, the customer (`Cust_…`) in the portal
 */
export const sealEstimate = (secret: string, holder: string, fixed: FixedEstimate) => seal('estimate', secret, holder, fixed);

/** What a token says; null for a broken one and for that of another holder. */
export const openEstimate = (secret: string, holder: string, token: string) => open<FixedEstimate>('estimate', secret, holder, token);

/** As `sealEstimate`, for a contract to be signed; neither is taken for the other. */
export const sealSigning = (secret: string, holder: string, fixed: FixedSigning) => seal('sign_estimate', secret, holder, fixed);

/** As `openEstimate`, for a contract to be signed. */
export const openSigning = (secret: string, holder: string, token: string) => open<FixedSigning>('sign_estimate', secret, holder, token);

function seal<F extends FixedEstimate | FixedSigning>(kind: Kind, secret: string, holder: string, fixed: F) {
  const { input, basis } = fixed;
  const payload = Buffer.from(JSON.stringify({ holder, input, basis })).toString('base64url');
  return { text: `${payload}.${sign(kind, secret, payload)}`, expires: basis.instant + ESTIMATE_LASTS_MS };
}

function open<F>(kind: Kind, secret: string, holder: string, token: string): F | null {
  const [payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined || !same(signature, sign(kind, secret, payload))) return null;
  // the signature is valid, so this process or another one of ours wrote it
  const { holder: given, ...fixed } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Sealed<F>;
  return given === holder ? (fixed as F) : null;
}

const sign = (kind: Kind, secret: string, payload: string): string =>
  createHmac('sha256', secret).update(`${kind}:${payload}`).digest('base64url');

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
