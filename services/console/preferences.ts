import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../billing/refusal.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { PortalPreferences } from '../../db/entities/portal.ts';
import { TaxRateRecord, Vendor } from '../../db/entities/vendor.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { lockVendor } from '../preferences/lock.ts';

/** One value for all preferences of a vendor. */
export const preferencesStanding = (db: Database, vendorId: string): Promise<string> => standingOf(db.em(), vendorId);

async function standingOf(em: EntityManager, vendorId: string): Promise<string> {
  const fresh = { disableIdentityMap: true } as const;
  const vendor = await em.findOneOrFail(Vendor, { id: vendorId }, fresh);
  const rates = await em.find(TaxRateRecord, { vendor: vendorId }, { ...fresh, fields: ['id'], orderBy: { position: 'asc', id: 'asc' } });
  const portal = await em.findOne(PortalPreferences, { vendorId }, fresh);
  const { taxRates: _taxRates, ...own } = vendor;
  return fingerprintOf([own, rates.map(({ id }) => id), portal]);
}

/**
 * Makes sure that nobody has changed any preference since they were read, until the transaction ends.
 *
 * @throws Refusal `estimate_outdated`
 */
export async function requirePreferences(tx: Tx, vendorId: string, standing: string): Promise<void> {
  await lockVendor(tx, vendorId);
  if ((await standingOf(tx.em, vendorId)) !== standing)
    throw new Refusal('estimate_outdated', 'Somebody has changed preferences meanwhile: look at what changes now.');
}
