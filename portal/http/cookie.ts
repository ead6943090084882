import type { Language } from '../../db/customer/language.ts';

/** The portal's cookies: the session, a note for the next page, the language that was chosen. */
type CookieName = 'perennial_portal' | 'perennial_portal_note' | 'perennial_portal_language';

interface CookieParts {
  readonly name: CookieName;
  readonly value: string;
  /** sent over https only */
  readonly secure: boolean;
  /** absent = until the browser's session ends */
  readonly maxAge?: number;
}

/** A Set-Cookie header. */
export const setCookie = ({ name, value, secure, maxAge }: CookieParts): string =>
  `${name}=${value}${maxAge === undefined ? '' : `; Max-Age=${maxAge}`}; Path=/portal; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** The cookie has no age: it ends with the browser's session, and on the server after an hour without requests. */
export const sessionCookie = (session: string, secure: boolean): string => setCookie({ name: 'perennial_portal', value: session, secure });

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The language that was chosen, for a year. */
export const languageCookie = (language: Language, secure: boolean): string =>
  setCookie({ name: 'perennial_portal_language', value: language, secure, maxAge: YEAR_SECONDS });

export const clearCookie = (name: CookieName, secure: boolean): string => setCookie({ name, value: '', maxAge: 0, secure });

/** The value of a cookie in a Cookie header; null when there is none. */
export function cookieOf(header: string, name: CookieName): string | null {
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`));
  const value = found?.slice(name.length + 1);
  return value ? value : null;
}

export const sessionOf = (header: string): string | null => cookieOf(header, 'perennial_portal');
