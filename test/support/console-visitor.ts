import { textOfPage } from './page-text.ts';
import { servers } from './servers.ts';

/** A page as a browser without scripts gets it. */
interface ConsolePage {
  status: number;
  /** where a redirect leads */
  location: string | null;
  headers: Headers;
  html: string;
  /** what is to be read on it, with single spaces */
  text: string;
}

/** Somebody of a vendor in the console, over real HTTP. */
export class VendorInConsole {
  readonly origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(origin: string, cookies: ReadonlyMap<string, string> = new Map()) {
    this.origin = origin;
    for (const [name, value] of cookies) this.#cookies.set(name, value);
  }

  /** Signs in with a key. */
  static async signIn(key: string, origin?: string): Promise<VendorInConsole> {
    const visitor = new VendorInConsole(origin ?? (await servers()).baseUrl);
    const { status } = await visitor.post('/console/sign_in', { api_key: key });
    if (status !== 303) throw new Error(`nobody is signed in: ${status}`);
    return visitor;
  }

  /** All cookies that the console has set. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  /** The session's secret, as its cookie has it. */
  get session(): string {
    return this.#cookies.get('perennial_console') ?? '';
  }

  get(path: string): Promise<ConsolePage> {
    return this.#send(path, { method: 'GET' });
  }

  /** The page at a path, which must be there. */
  async page(path: string): Promise<ConsolePage> {
    const page = await this.get(path);
    if (page.status !== 200) throw new Error(`${path} is a ${page.status}: ${page.text}`);
    return page;
  }

  text = async (path: string): Promise<string> => (await this.page(path)).text;

  post(path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<ConsolePage> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: this.origin, ...headers } });
  }

  /** The value that the session's forms bring along. */
  async csrf(): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await this.page('/console')).html)?.[1] ?? '';
  }

  async #send(path: string, request: RequestInit): Promise<ConsolePage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'accept-language': 'en', ...request.headers, cookie };
    const response = await fetch(new URL(path, this.origin), { ...request, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      this.#cookies.set(name, value);
    }
    const html = await response.text();
    return { status: response.status, location: response.headers.get('location'), headers: response.headers, html, text: textOfPage(html) };
  }
}
