import type { Caller } from './transaction.ts';

/** A call that changes something, for the audit log. */
export interface AuditedCall {
  vendorId: string;
  caller: Caller;
  /** the operation of the API, or the address of the portal */
  action: string;
  /** id in the call's path, the vendor's for its own preferences, else of what it makes; null: not made yet */
  object: string | null;
  /** what was asked for; null: nothing but what the action says */
  asked: Readonly<Record<string, unknown>> | null;
}

/** Who has a transaction made, and by which call; without a call nothing is audited. */
export interface Asker {
  caller: Caller;
  audit?: AuditedCall | undefined;
}

/** The call with the id of what it made; none where nothing is audited. */
export const callFor = ({ audit }: Asker, object: string): AuditedCall[] => (audit === undefined ? [] : [{ ...audit, object }]);
