const NAME = 'perennial_portal';
const attributes = (secure: boolean): string => `Path=/portal; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/** Without an age: it ends with the browser's session, and on the server after an idle hour. */
export const sessionCookie = (session: string, secure: boolean): string => `${NAME}=${session}; ${attributes(secure)}`;

export const clearCookie = (secure: boolean): string => `${NAME}=; Max-Age=0; ${attributes(secure)}`;

/** The session in a Cookie header. */
export function sessionOf(header: string): string | null {
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${NAME}=`));
  const value = found?.slice(NAME.length + 1);
  return value ? value : null;
}
