import { PORTAL_PREFIX } from './http/parts.ts';

/** The URL that opens the portal once. */
export const portalUrl = (baseUrl: string, token: string): string => `${baseUrl}${PORTAL_PREFIX}?token=${encodeURIComponent(token)}`;
