import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import type { Language } from '../../db/customer/language.ts';
import { Plan } from '../../db/entities/catalogue.ts';
import { type PortalLink, PortalPreferences, type PortalText } from '../../db/entities/portal.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { lockVendor } from './lock.ts';

/** What a vendor has set for its portal; null: the default. */
export interface PortalSettings {
  /** ids of the plans that customers may change to; null: all that are sold in the contract's currency */
  plans: string[] | null;
  name: string | null;
  logoUrl: string | null;
  /** `#rrggbb` */
  color: string | null;
  links: PortalLink[];
  texts: Record<string, PortalText>;
  returnUrls: string[];
  /** of the portal and of e-mails, for customers that have none of their own */
  language: Language;
}

const NOTHING_SET = { plans: null, name: null, logoUrl: null, color: null, links: [], texts: {}, returnUrls: [] };

export async function readPortalSettings(em: EntityManager, vendorId: string): Promise<PortalSettings> {
  const { language } = await em.findOneOrFail(Vendor, { id: vendorId });
  const stored = await em.findOne(PortalPreferences, { vendorId });
  const { plans, name, logoUrl, color, links, texts, returnUrls } = stored ?? NOTHING_SET;
  return { plans, name, logoUrl, color, links, texts, returnUrls, language };
}

/**
 * Changes what is given and leaves the rest; lists and texts are replaced as a whole.
 *
 * @throws Refusal `plan_not_found`, `plan_archived`
 */
export async function changePortalSettings(tx: Tx, vendorId: string, given: Partial<PortalSettings>): Promise<void> {
  const { language, ...look } = given;
  const vendor = await lockVendor(tx, vendorId);
  if (language !== undefined) vendor.language = language;
  if (look.plans != null) await requireSold(tx.em, vendorId, look.plans);
  const stored = await tx.em.findOne(PortalPreferences, { vendorId });
  if (stored === null) tx.em.create(PortalPreferences, { vendorId, ...NOTHING_SET, ...look });
  else tx.em.assign(stored, look);
  await tx.em.flush();
}

async function requireSold(em: EntityManager, vendor: string, ids: readonly string[]): Promise<void> {
  const found = await em.find(Plan, { id: { $in: [...ids] }, vendor }, { fields: ['id', 'status'] });
  const statuses = new Map(found.map(({ id, status }) => [id, status]));
  for (const id of ids) {
    const status = statuses.get(id);
    if (status === undefined) throw new Refusal('plan_not_found', `There is no plan ${id}.`, 'plans');
    if (status === 'archived')
      throw new Refusal('plan_archived', `The plan ${id} is not sold any more.`, { plans: `${id} is archived: leave it out` });
  }
}
