import type { Asker } from '../db/audited-call.ts';

/** Operators have no key: the audit log names the system, and what was done as the API calls it. */
export function asOperator(vendorId: string, action: string, object: string | null, asked: Record<string, unknown> | null = null): Asker {
  const caller = { type: 'system', id: null } as const;
  return { caller, audit: { vendorId, caller, action, object, asked } };
}
