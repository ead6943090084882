import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** The secret of a link or a session, of the portal and of the console. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** What is stored of it. Secrets are random, so one round of SHA-256 keeps them as safe as a slow hash would. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
