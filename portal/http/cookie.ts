import type Koa from 'koa';
import type { Language } from '../../db/customer/language.ts';

/**
 * The cookies of a site of ours: the session, a note for the next page, what a page shows once, the chosen language, a
 * sign-in elsewhere.
 */
const ENDINGS = { session: '', note: '_note', once: '_once', language: '_language', round: '_sign_in' } as const;
type Cookie = keyof typeof ENDINGS;

/** Pages below one path, with cookies of their own. */
export interface CookieSite {
  /** the session's cookie; the others are named after it */
  readonly name: string;
  readonly path: string;
}

const PORTAL: CookieSite = { name: 'perennial_portal', path: '/portal' };

const NOTE_SECONDS = 60;
const ONCE_SECONDS = 600;
const ROUND_SECONDS = 600;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** A session's has none: it ends with the browser's session, and on the server after an hour without requests. */
const AGES: Readonly<Record<Cookie, number | null>> = {
  session: null,
  note: NOTE_SECONDS,
  once: ONCE_SECONDS,
  language: YEAR_SECONDS,
  round: ROUND_SECONDS,
};

/**
 * The cookies of a request, and those that its response sets. Over https their names begin with `__Host-`: then
 * browsers accept them only from this very host, secure and for all paths, so that no site beside it can set one in
 * our place.
 */
class Cookies {
  readonly #ctx: Koa.Context;
  readonly #isSecure: boolean;
  readonly #site: CookieSite;

  constructor(ctx: Koa.Context, isSecure: boolean, site: CookieSite) {
    this.#ctx = ctx;
    this.#isSecure = isSecure;
    this.#site = site;
  }

  get session(): string | null {
    return this.#read('session');
  }

  get note(): string | null {
    return this.#read('note');
  }

  get once(): string | null {
    return this.#read('once');
  }

  get language(): string | null {
    return this.#read('language');
  }

  get round(): string | null {
    return this.#read('round');
  }

  setSession = (session: string): void => this.#write('session', session, AGES.session);

  setNote = (note: string): void => this.#write('note', note, AGES.note);

  setOnce = (text: string): void => this.#write('once', text, AGES.once);

  setLanguage = (language: Language): void => this.#write('language', language, AGES.language);

  setRound = (round: string): void => this.#write('round', round, AGES.round);

  clear = (cookie: Cookie): void => this.#write(cookie, '', 0);

  #nameOf(cookie: Cookie): string {
    const name = `${this.#site.name}${ENDINGS[cookie]}`;
    return this.#isSecure ? `__Host-${name}` : name;
  }

  #read(cookie: Cookie): string | null {
    const begin = `${this.#nameOf(cookie)}=`;
    const parts = this.#ctx.get('cookie').split(';');
    const found = parts.map((part) => part.trim()).find((part) => part.startsWith(begin));
    const value = found?.slice(begin.length);
    return value ? value : null;
  }

  #write(cookie: Cookie, value: string, maxAge: number | null): void {
    const age = maxAge === null ? '' : `; Max-Age=${maxAge}`;
    const [path, secure] = this.#isSecure ? ['/', '; Secure'] : [this.#site.path, ''];
    this.#ctx.append('set-cookie', `${this.#nameOf(cookie)}=${value}${age}; Path=${path}; HttpOnly; SameSite=Lax${secure}`);
  }
}

/** Makes the cookies of a request known to what comes after it. */
export const openCookies =
  ({ baseUrl }: { readonly baseUrl: string }, site = PORTAL) =>
  (ctx: Koa.Context, next: Koa.Next): Promise<unknown> => {
    ctx.state.siteCookies = new Cookies(ctx, baseUrl.startsWith('https:'), site);
    return next();
  };

export const cookiesOf = ({ state }: Pick<Koa.Context, 'state'>): Cookies => state.siteCookies as Cookies;
