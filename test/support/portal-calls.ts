import { servers } from './servers.ts';
import type { TestVendor } from './vendor.ts';

/** What a page of the portal answers to a program that keeps the session's cookie. */
export interface PortalAnswer {
  status: number;
  /** the page as it was sent, and its words alone */
  source: string;
  text: string;
  /** path and query that a redirect leads to, '' where there is none */
  location: string;
}

export interface PortalCalls {
  get(path: string): Promise<PortalAnswer>;
  /** Sends a form as the page would: with the session's own csrf value, unless the fields have another. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<PortalAnswer>;
  /** Follows a redirect. */
  follow(answer: PortalAnswer): Promise<PortalAnswer>;
}

const words = (source: string): string =>
  source
    .replace(/<[^>]+>/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');

/** Signs a customer in, as the button behind the link does. */
export async function portalCalls(vendor: TestVendor, customerId: string): Promise<PortalCalls> {
  const { baseUrl } = await servers();
  const link = new URL(await vendor.api.made<string>('/v1/c/customer/authenticate', { id: customerId }));
  const entered = await fetch(`${baseUrl}/portal${link.search}`, { method: 'POST', redirect: 'manual' });
  const session = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  let note = '';
  const send = async (path: string, init: RequestInit): Promise<PortalAnswer> => {
    const cookie = note === '' ? session : `${session}; ${note}`;
    const response = await fetch(`${baseUrl}${path}`, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    note =
      response.headers
        .getSetCookie()
        .find((one) => one.startsWith('perennial_portal_note='))
        ?.split(';')[0] ?? '';
    const source = await response.text();
    const to = response.headers.get('location');
    const at = to === null ? null : new URL(to, baseUrl);
    return { status: response.status, source, text: words(source), location: at === null ? '' : `${at.pathname}${at.search}` };
  };
  const get = (path: string) => send(path, {});
  const csrf = /name="csrf" value="([^"]+)"/.exec((await get('/portal/methods')).source)?.[1] ?? '';
  return {
    get,
    post: (path, fields = {}, headers = {}) => send(path, { method: 'POST', headers, body: new URLSearchParams({ csrf, ...fields }) }),
    follow: ({ location }) => get(location),
  };
}

/** The value of a field of a page's form. */
export const fieldIn = ({ source }: PortalAnswer, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(source)?.[1] ?? '';
