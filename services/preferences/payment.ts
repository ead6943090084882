import type { EntityManager } from '@mikro-orm/postgresql';
import type { OnDunningEnd, OnTrialEnd } from '../../billing/contract/types.ts';
import type { Tx } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { lockVendor } from './lock.ts';

/** How a vendor's invoices are collected. */
export interface PaymentPreferences {
  /** days after the first failure; null: as the installation is configured */
  retryDays: number[] | null;
  /** smallest amount collected automatically, by currency */
  thresholds: Record<string, string>;
  onTrialEnd: OnTrialEnd;
  onDunningEnd: OnDunningEnd;
}

export async function readPaymentPreferences(em: EntityManager, vendorId: string): Promise<PaymentPreferences> {
  const { retryDays, paymentThreshold, invoicing } = await em.findOneOrFail(Vendor, { id: vendorId });
  const { onTrialEnd, onDunningEnd } = invoicing;
  return { retryDays, thresholds: paymentThreshold, onTrialEnd, onDunningEnd };
}

/**
 * Changes what is given and leaves the rest. Retries that have begun go on by the days they began with; a threshold
 * counts when an invoice is planned or tried. What ends a trial or dunning is copied by contracts signed from now on.
 */
export async function changePaymentPreferences(tx: Tx, vendorId: string, given: Partial<PaymentPreferences>): Promise<void> {
  const vendor = await lockVendor(tx, vendorId);
  if (given.retryDays !== undefined) vendor.retryDays = given.retryDays;
  if (given.thresholds !== undefined) vendor.paymentThreshold = given.thresholds;
  const { onTrialEnd = vendor.invoicing.onTrialEnd, onDunningEnd = vendor.invoicing.onDunningEnd } = given;
  vendor.invoicing = { ...vendor.invoicing, onTrialEnd, onDunningEnd };
  await tx.em.flush();
}
