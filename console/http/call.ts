import type { CallOutcome, ConsoleCall, ConsoleOperation } from './parts.ts';
import type { Visit } from './visit.ts';

interface Called {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** the call makes something: the audit log gets its id */
  readonly makes?: boolean;
  readonly before?: ConsoleCall['before'];
  readonly checkOnly?: boolean;
}

/** Calls the API for the person who is signed in. The audit log gets the body in place of the form's fields. */
export function callApi(
  { parts, visitor, asker }: Visit,
  operation: ConsoleOperation,
  { params = {}, body = {}, makes = false, before, checkOnly = false }: Called,
): Promise<CallOutcome> {
  const { audit } = asker;
  const asked = audit === undefined ? asker : { ...asker, audit: { ...audit, asked: body, ...(makes ? { object: null } : {}) } };
  return parts.callApi({ operation, vendorId: visitor.vendorId, asker: asked, params, body, before, checkOnly });
}
