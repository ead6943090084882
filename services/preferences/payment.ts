import type { Queryable } from '../../db/connect.ts';

/** How a vendor's invoices are collected. */
export interface PaymentPreferences {
  /** days after the first failure; null: as the installation is configured */
  retryDays: number[] | null;
  /** smallest amount collected by itself, by currency */
  thresholds: Record<string, string>;
}

export async function readPaymentPreferences(db: Queryable, vendorId: string): Promise<PaymentPreferences> {
  const [row] = await db.query<PaymentPreferences>(
    'select retry_days as "retryDays", payment_threshold as thresholds from vendor where id = $1',
    [vendorId],
  );
  if (row === undefined) throw new Error(`the vendor ${vendorId} does not exist`);
  return row;
}

/** Changes what is given and leaves the rest. Retries that have begun keep their days; a threshold counts when an invoice is planned or tried. */
export async function changePaymentPreferences(tx: Queryable, vendorId: string, given: Partial<PaymentPreferences>): Promise<void> {
  if (given.retryDays !== undefined) {
    const days = given.retryDays === null ? null : JSON.stringify(given.retryDays);
    await tx.query('update vendor set retry_days = $2::jsonb where id = $1', [vendorId, days]);
  }
  if (given.thresholds !== undefined) {
    await tx.query('update vendor set payment_threshold = payment_threshold || $2::jsonb where id = $1', [
      vendorId,
      JSON.stringify(given.thresholds),
    ]);
  }
}
