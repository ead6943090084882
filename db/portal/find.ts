import type { EntityManager } from '@mikro-orm/postgresql';
import { Customer } from '../entities/customer.ts';

export interface VisitorHints {
  id?: string | null | undefined;
  email?: string | null | undefined;
  reference?: string | null | undefined;
}

/**
 * The customers that match all given hints, at most two: a second one is enough to know that the hints are ambiguous.
 * E-mails are compared under any label and ignoring case.
 */
export async function findVisitors(em: EntityManager, vendorId: string, { id, email, reference }: VisitorHints): Promise<string[]> {
  const fits = {
    vendorId,
    ...(id ? { id } : {}),
    ...(email ? { emailKeys: { $contains: [email.toLowerCase()] } } : {}),
    ...(reference ? { customerReference: reference } : {}),
  };
  const customers = await em.find(Customer, fits, { orderBy: { id: 'asc' }, limit: 2 });
  return customers.map((customer) => customer.id);
}

/** Those of the given hints that match no customer even alone. */
export async function unknownHints(em: EntityManager, vendorId: string, hints: VisitorHints): Promise<(keyof VisitorHints)[]> {
  const unknown: (keyof VisitorHints)[] = [];
  for (const hint of ['id', 'email', 'reference'] as const)
    if (hints[hint] && (await findVisitors(em, vendorId, { [hint]: hints[hint] })).length === 0) unknown.push(hint);
  return unknown;
}
