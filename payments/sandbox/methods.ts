/** How the charges of a sandbox method end. */
interface SandboxBehaviour {
  /** confirmations the set-up takes */
  confirmations: 1 | 2;
  charge: 'taken' | 'refused' | 'slow';
  /** whether a customer who is there is asked to confirm */
  asks: boolean;
  reason: string | null;
  retryable: boolean;
  /** what the caller gets: the outcome, nothing, or the outcome and a notice of it */
  answer: 'once' | 'never' | 'twice';
}

const taken: SandboxBehaviour = { confirmations: 1, charge: 'taken', asks: false, reason: null, retryable: false, answer: 'once' };
const refused = (reason: string, retryable: boolean): SandboxBehaviour => ({ ...taken, charge: 'refused', reason, retryable });

export const SANDBOX_METHODS = {
  sandbox_ok: taken,
  sandbox_declined: refused('declined', true),
  sandbox_insufficient_funds: refused('insufficient_funds', true),
  sandbox_expired_card: refused('expired_card', false),
  sandbox_needs_action: { ...refused('needs_action', true), confirmations: 2, asks: true },
  sandbox_slow: { ...taken, charge: 'slow' },
  sandbox_no_answer: { ...taken, answer: 'never' },
  sandbox_answers_twice: { ...taken, answer: 'twice' },
} as const satisfies Record<string, SandboxBehaviour>;

export type SandboxMethod = keyof typeof SANDBOX_METHODS;

export const SANDBOX_METHOD_NAMES = Object.keys(SANDBOX_METHODS) as SandboxMethod[];

export const isSandboxMethod = (name: string): name is SandboxMethod => Object.hasOwn(SANDBOX_METHODS, name);

/** A method's reference is its name and the set-up it came from: `sandbox_ok.PSess_…`. */
export function behaviourOf(reference: string): SandboxBehaviour {
  const name = reference.split('.')[0] ?? '';
  if (!isSandboxMethod(name)) throw new Error(`${reference} is no sandbox method`);
  return SANDBOX_METHODS[name];
}
