/** A usage event as it is reported. */
export interface ReportedUsage {
  id: string;
  vendorId: string;
  /** the key it was reported with */
  keyId: string;
  customerId: string;
  slug: string;
  /** decimal text, not negative */
  units: string;
  isAbsolute: boolean;
  metadata: Record<string, string>;
  /** null: the moment of arrival */
  timestamp: number | null;
  idempotencyKey: string | null;
  allowCorrection: boolean;
}

/** The id of the event (the first one's, for a repeat), or why it was refused. */
export type Recorded = { id: string } | { error: unknown };

/** How far ahead of its arrival usage may be dated. */
export const AHEAD_MS = 3_600_000;
