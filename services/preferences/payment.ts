import type { EntityManager } from '@mikro-orm/postgresql';
import type { Tx } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { lockVendor } from './lock.ts';

/** How a vendor's invoices are collected. */
export interface PaymentPreferences {
  /** days after the first failure; null: as the installation is configured */
  retryDays: number[] | null;
  /** smallest amount collected automatically, by currency */
  thresholds: Record<string, string>;
}

export async function readPaymentPreferences(em: EntityManager, vendorId: string): Promise<PaymentPreferences> {
  const { retryDays, paymentThreshold } = await em.findOneOrFail(Vendor, { id: vendorId });
  return { retryDays, thresholds: paymentThreshold };
}

/**
 * Changes what is given and leaves the rest. Retries that have begun go on by the days they began with; a threshold
 * counts when an invoice is planned or tried.
 */
export async function changePaymentPreferences(tx: Tx, vendorId: string, given: Partial<PaymentPreferences>): Promise<void> {
  const vendor = await lockVendor(tx, vendorId);
  if (given.retryDays !== undefined) vendor.retryDays = given.retryDays;
  vendor.paymentThreshold = { ...vendor.paymentThreshold, ...given.thresholds };
  await tx.em.flush();
}
