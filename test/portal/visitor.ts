import { servers } from '../support/servers.ts';
import type { TestVendor } from '../support/vendor.ts';

/** A customer who has entered the portal, and reads pages there. */
export interface Visitor {
  /** a page by its path behind `/portal` */
  get(path: string): Promise<Response>;
  /** its text without tags, spaces in one */
  text(path: string): Promise<string>;
  html(path: string): Promise<string>;
}

/** Enters the portal by a link and the button behind it. */
export async function enters(vendor: TestVendor, customer: string, language = 'en'): Promise<Visitor> {
  const { baseUrl } = await servers();
  const link: string = await vendor.api.made('/v1/c/customer/authenticate', { id: customer });
  const entered = await fetch(link, { method: 'POST', redirect: 'manual' });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const get = (path: string): Promise<Response> =>
    fetch(`${baseUrl}/portal${path}`, { redirect: 'manual', headers: { cookie, 'accept-language': language } });
  const html = async (path: string): Promise<string> => {
    const response = await get(path);
    if (response.status !== 200) throw new Error(`${path} is a ${response.status}`);
    return response.text();
  };
  return { get, html, text: async (path) => textOf(await html(path)) };
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** What a page says. */
export const textOf = (page: string): string =>
  page
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ');
