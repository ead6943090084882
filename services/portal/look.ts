import type { Database } from '../../db/connect.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { visitorOfToken } from './token.ts';

/** How a vendor's portal looks and what it says, with the defaults where the vendor has set nothing. */
export interface PortalLook {
  readonly name: string;
  /** address of an image on the vendor's own server */
  readonly logoUrl: string | null;
  /** `#rrggbb` */
  readonly color: string;
  /** addresses for the foot of each page by name, for example `terms`, `privacy`, `support` */
  readonly links: Readonly<Record<string, string>>;
  /** texts of the vendor by place */
  readonly texts: Readonly<Record<string, string>>;
  /** ids of the plans that customers may change to; null = all that are sold */
  readonly plans: readonly string[] | null;
  /** origins that a customer may be sent back to */
  readonly returnUrls: readonly string[];
}

const DEFAULT_COLOR = '#1f6f54';

/** The look of a vendor's portal; null when there is no such vendor. */
export async function portalLook(db: Database, vendorId: string): Promise<PortalLook | null> {
  const vendor = await db.em().findOne(Vendor, { id: vendorId });
  if (vendor === null) return null;
  return {
    name: vendor.name,
    logoUrl: null,
    color: DEFAULT_COLOR,
    links: {},
    texts: {},
    plans: null,
    returnUrls: [],
  };
}

/** The look behind a link's token; null when the token can't be used any more. */
export async function portalLookOfToken(db: Database, token: string): Promise<PortalLook | null> {
  const visitor = await visitorOfToken(db.em(), token);
  return visitor === null ? null : portalLook(db, visitor.vendorId);
}
