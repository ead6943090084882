import { seal, unseal } from '../../services/webhook/seal.ts';

/** For whom a text is shown once: a session, at one address of the console. */
interface Once {
  readonly session: string;
  readonly path: string;
}

const ownerOf = ({ session, path }: Once): string => `${session} ${path}`;

/**
 * A secret waits in a cookie for the page behind a redirect, where it is shown once. It is encrypted: neither the
 * browser nor what reads cookies on the way learns it before that page.
 *
 * @param secret of the installation (`PERENNIAL_SECRET`)
 */
export const onceToCookie = (text: string, once: Once, secret: string): string => seal(text, ownerOf(once), secret);

/** The secret of a cookie; null when it is for another session or another page. */
export const onceInCookie = (cookie: string, once: Once, secret: string): string | null => unseal(cookie, ownerOf(once), secret);
