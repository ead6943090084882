import type { z } from 'zod';
import type { PortalSettings } from '../../services/preferences/portal.ts';
import type { PortalPreferences, PortalRequest } from '../schema/portal.ts';

/** What a request changes: absent fields are absent, null is the default. */
export function portalFromWire(body: z.output<typeof PortalRequest>): Partial<PortalSettings> {
  const { plans, name, logo_url: logoUrl, color, links, texts, return_urls: returnUrls, language } = body;
  return {
    ...(plans === undefined ? {} : { plans: plans === null ? null : [...new Set(plans)] }),
    ...(name === undefined ? {} : { name }),
    ...(logoUrl === undefined ? {} : { logoUrl }),
    ...(color === undefined ? {} : { color }),
    ...(links === undefined ? {} : { links: links ?? [] }),
    ...(texts === undefined ? {} : { texts: texts ?? {} }),
    ...(returnUrls === undefined ? {} : { returnUrls: returnUrls ?? [] }),
    ...(language === undefined ? {} : { language: language ?? 'en' }),
  };
}

export const portalToWire = ({ logoUrl, returnUrls, ...settings }: PortalSettings): z.input<typeof PortalPreferences> => ({
  ...settings,
  logo_url: logoUrl,
  return_urls: returnUrls,
});
