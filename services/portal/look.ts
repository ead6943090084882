import type { Database } from '../../db/connect.ts';
import type { Language } from '../../db/customer/language.ts';
import { type PortalLink, PortalPreferences, type PortalText } from '../../db/entities/portal.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { visitorOfToken } from './token.ts';

/** How a vendor's portal looks and what it says, with the defaults where the vendor has set nothing. */
export interface PortalLook {
  readonly name: string;
  /** https address of an image, or the image itself as a data URL */
  readonly logoUrl: string | null;
  /** `#rrggbb` */
  readonly color: string;
  /** for the foot of each page */
  readonly links: readonly PortalLink[];
  /** texts of the vendor by place: `welcome`, `footer`, `change`, `cancel`, `pay` */
  readonly texts: Readonly<Record<string, PortalText>>;
  /** ids of the plans that customers may change to; null = all that are sold */
  readonly plans: readonly string[] | null;
  /** for customers that have none of their own */
  readonly language: Language;
}

const DEFAULT_COLOR = '#1f6f54';

/** The look of a vendor's portal; null when there is no such vendor. */
export async function portalLook(db: Database, vendorId: string): Promise<PortalLook | null> {
  const em = db.em();
  const vendor = await em.findOne(Vendor, { id: vendorId });
  if (vendor === null) return null;
  const set = await em.findOne(PortalPreferences, { vendorId });
  return {
    name: set?.name ?? vendor.name,
    logoUrl: set?.logoUrl ?? null,
    color: set?.color ?? DEFAULT_COLOR,
    links: set?.links ?? [],
    texts: set?.texts ?? {},
    plans: set?.plans ?? null,
    language: vendor.language,
  };
}

/** The look behind a link's token; null when the token can't be used any more. */
export async function portalLookOfToken(db: Database, token: string): Promise<PortalLook | null> {
  const visitor = await visitorOfToken(db.em(), token);
  return visitor === null ? null : portalLook(db, visitor.vendorId);
}

/** A vendor's text in a language, else in English, else in the one that there is. */
export const textIn = (text: PortalText, language: Language): string =>
  typeof text === 'string' ? text : (text[language] ?? text.en ?? text.de ?? '');
