import type { SignInConfig } from '../../config/sign-in.ts';
import type { Database } from '../../db/connect.ts';
import { Person, Vendor } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { type ConsoleScope, newConsoleSession } from './session.ts';

/** Somebody as the sign-in service describes them. */
export interface ProvedPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly email: string | null;
  readonly groups: readonly string[];
}

/** A vendor whose console somebody may open. */
export interface OpenVendor {
  readonly vendorId: string;
  readonly vendorName: string;
  readonly scope: ConsoleScope;
}

/** The consoles that the groups of a person open, in the order of the configuration; `full` where groups say both. */
export async function vendorsOf(db: Database, access: SignInConfig['access'], groups: readonly string[]): Promise<OpenVendor[]> {
  const has = new Set(groups);
  const open = access.flatMap(({ vendorId, read, full }) => {
    const scope = full.some((group) => has.has(group)) ? 'full' : read.some((group) => has.has(group)) ? 'read' : null;
    return scope === null ? [] : [{ vendorId, scope } as const];
  });
  const vendors = open.length === 0 ? [] : await db.em().find(Vendor, { id: { $in: open.map(({ vendorId }) => vendorId) } });
  const names = new Map(vendors.map(({ id, name }) => [id, name]));
  return open.flatMap((one) => {
    const vendorName = names.get(one.vendorId);
    return vendorName === undefined ? [] : [{ ...one, vendorName }];
  });
}

/** Opens a session for a person, who is stored at the first sign-in and kept up to date by the others. */
export function openPersonSession(
  db: Database,
  { issuer, subject, name, email }: ProvedPerson,
  { vendorId, scope }: OpenVendor,
): Promise<string> {
  const now = Date.now();
  return db.transaction(async (tx) => {
    const known = { name, email, signedIn: now };
    // two sign-ins of a new person at once become one person
    const person = await tx.em.upsert(
      Person,
      { id: newId('Person'), vendorId, issuer, subject, ...known },
      { onConflictFields: ['vendorId', 'issuer', 'subject'], onConflictMergeFields: ['name', 'email', 'signedIn'] },
    );
    const session = newConsoleSession(tx, { vendorId, keyId: null, personId: person.id }, scope, now);
    await tx.em.flush();
    return session;
  });
}
