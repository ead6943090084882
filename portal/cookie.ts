const NAME = 'perennial_portal';
const attributes = (secure: boolean): string => `Path=/portal; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** The cookie has no age: it ends with the browser's session, and on the server after an hour without requests. */
export const sessionCookie = (session: string, secure: boolean): string => `${NAME}=${session}; ${attributes(secure)}`;

export const clearCookie = (secure: boolean): string => `${NAME}=; Max-Age=0; ${attributes(secure)}`;

/** The session in a Cookie header; null when there is none. */
export function sessionOf(header: string): string | null {
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${NAME}=`));
  const value = found?.slice(NAME.length + 1);
  return value ? value : null;
}
