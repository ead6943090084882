import { textOfPage } from './page-text.ts';
import { type Servers, servers } from './servers.ts';
import type { TestVendor } from './vendor.ts';

/** A page as a browser without scripts gets it. */
export interface VisitedPage {
  status: number;
  /** where a redirect leads */
  location: string | null;
  headers: Headers;
  html: string;
  /** what is to be read on it, with single spaces */
  text: string;
}

/** A customer in the portal, over real HTTP. */
export class CustomerInPortal {
  readonly #origin: string;
  readonly #language: string;
  readonly #cookies = new Map<string, string>();

  private constructor(origin: string, language: string) {
    this.#origin = origin;
    this.#language = language;
  }

  /** Enters by a link and the button behind it. */
  static async enter(vendor: Pick<TestVendor, 'api'>, customerId: string, language = 'en'): Promise<CustomerInPortal> {
    return CustomerInPortal.enterAt(await servers(), vendor, customerId, language);
  }

  /** The same on servers of the test's own. */
  static async enterAt(
    { baseUrl }: Pick<Servers, 'baseUrl'>,
    vendor: Pick<TestVendor, 'api'>,
    customerId: string,
    language = 'en',
  ): Promise<CustomerInPortal> {
    const visitor = new CustomerInPortal(baseUrl, language);
    const link: string = await vendor.api.made('/v1/c/customer/authenticate', { id: customerId });
    await visitor.#send(new URL(link).pathname + new URL(link).search, { method: 'POST' });
    return visitor;
  }

  get(path: string): Promise<VisitedPage> {
    return this.#send(path, { method: 'GET' });
  }

  /** The page at a path, which must be there. */
  async page(path: string): Promise<VisitedPage> {
    const page = await this.get(path);
    if (page.status !== 200) throw new Error(`${path} is a ${page.status}`);
    return page;
  }

  /** What is to be read there. */
  text = async (path: string): Promise<string> => (await this.page(path)).text;

  html = async (path: string): Promise<string> => (await this.page(path)).html;

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
    const headers = { 'accept-language': this.#language, ...request.headers, cookie };
    const response = await fetch(new URL(path, this.#origin), { ...request, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    const html = await response.text();
    return { status: response.status, location: response.headers.get('location'), headers: response.headers, html, text: textOfPage(html) };
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
