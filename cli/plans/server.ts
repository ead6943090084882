import type { Perennial } from '../../client/src/index.ts';
import { answer } from '../connection/api.ts';
import type { Kind } from './file.ts';
import { type CatalogueEntry, discountForm, planForm } from './form.ts';

/** An entry of the vendor's catalogue on the server. */
export interface Held {
  id: string;
  slug: string;
  isArchived: boolean;
  form: CatalogueEntry;
}

type Listed = { id: string; slug: string; status: 'active' | 'archived' } & object;

const READ: Readonly<Record<Kind, (api: Perennial) => AsyncIterable<Listed>>> = {
  plans: (api) => api.listPlans({ limit: 100 }),
  discounts: (api) => api.listDiscounts({ limit: 100 }),
};

export const comparedForm = (kind: Kind, entry: CatalogueEntry): CatalogueEntry =>
  kind === 'plans' ? planForm(entry) : discountForm(entry);

/** All plans or discounts of the vendor by slug, archived ones too. */
export const readHeld = (api: Perennial, kind: Kind): Promise<Map<string, Held>> => answer(readAll(api, kind));

async function readAll(api: Perennial, kind: Kind): Promise<Map<string, Held>> {
  const found = new Map<string, Held>();
  for await (const { id, slug, status, ...entry } of READ[kind](api))
    found.set(slug, { id, slug, isArchived: status === 'archived', form: comparedForm(kind, entry) });
  return found;
}
