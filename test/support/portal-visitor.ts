import { servers } from './servers.ts';
import type { TestVendor } from './vendor.ts';

/** A page as a browser without scripts gets it. */
export interface VisitedPage {
  status: number;
  /** where a redirect leads */
  location: string | null;
  html: string;
  /** what is to be read on it, with single spaces */
  text: string;
}

/** A customer in the portal, over real HTTP. */
export class CustomerInPortal {
  readonly #origin: string;
  #cookies: Map<string, string>;

  private constructor(origin: string, cookies: Map<string, string>) {
    this.#origin = origin;
    this.#cookies = cookies;
  }

  /** Enters by a link and the button behind it. */
  static async enter(vendor: TestVendor, customerId: string): Promise<CustomerInPortal> {
    const { baseUrl } = await servers();
    const visitor = new CustomerInPortal(baseUrl, new Map());
    const link: string = await vendor.api.made('/v1/c/customer/authenticate', { id: customerId });
    await visitor.#send(new URL(link).pathname + new URL(link).search, { method: 'POST' });
    return visitor;
  }

  get(path: string): Promise<VisitedPage> {
    return this.#send(path, { method: 'GET' });
  }

  /** Follows a redirect, as a browser does. */
  async follow({ location }: VisitedPage): Promise<VisitedPage> {
    return this.get(location ?? '');
  }

  /** Sends a form of a page: its hidden fields, and those that are given. */
  send(page: VisitedPage, action: string, fields: Readonly<Record<string, string>> = {}): Promise<VisitedPage> {
    return this.post(action, { ...hiddenFields(page, action), ...fields });
  }

  post(path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<VisitedPage> {
    const body = new URLSearchParams(fields);
    return this.#send(path, { method: 'POST', body, headers: { origin: this.#origin, ...headers } });
  }

  async #send(path: string, request: RequestInit): Promise<VisitedPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.#origin), { ...request, redirect: 'manual', headers: { ...request.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    const html = await response.text();
    return { status: response.status, location: response.headers.get('location'), html, text: textOf(html) };
  }
}

const FORM = /<form method="post" action="([^"]+)">([\s\S]*?)<\/form>/g;
const HIDDEN = /<input type="hidden" name="([^"]+)" value="([^"]*)">/g;

/** The hidden fields of the form with this action. */
export function hiddenFields({ html }: VisitedPage, action: string): Record<string, string> {
  const form = [...html.matchAll(FORM)].find(([, to]) => to === action)?.[2];
  if (form === undefined) throw new Error(`the page has no form for ${action}`);
  return Object.fromEntries([...form.matchAll(HIDDEN)].map(([, name = '', value = '']) => [name, value]));
}

const textOf = (html: string): string =>
  html
    .replace(/^[\s\S]*<main/, '<main')
    .replace(/<\/main>[\s\S]*$/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
