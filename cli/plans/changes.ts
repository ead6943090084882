import type { CatalogueFile, Kind } from './file.ts';
import { type CatalogueEntry, isEntry, pricingName } from './form.ts';
import { comparedForm, type Held } from './server.ts';

/** What makes the server's catalogue that of the file, for one plan or discount. */
export interface CatalogueChange {
  kind: Kind;
  slug: string;
  does: 'create' | 'change' | 'archive';
  /** of what is there */
  id: string | null;
  /** what differs, field by field */
  differences: string[];
}

/** What differs between file and server, plans before discounts, by slug. Nothing where nothing has to be done. */
export function changesOf(kind: Kind, file: CatalogueFile, held: ReadonlyMap<string, Held>, prune: boolean): CatalogueChange[] {
  const wanted = [...file.entries[kind]].flatMap(([slug, entry]): CatalogueChange[] => {
    const there = held.get(slug);
    if (there === undefined) return [{ kind, slug, does: 'create', id: null, differences: [] }];
    const differences = differencesOf(there.form, comparedForm(kind, entry));
    return differences.length === 0 ? [] : [{ kind, slug, does: 'change', id: there.id, differences }];
  });
  const unwanted = prune ? [...held.values()].filter(({ slug, isArchived }) => !isArchived && !file.entries[kind].has(slug)) : [];
  const archived = unwanted.map(({ slug, id }): CatalogueChange => ({ kind, slug, does: 'archive', id, differences: [] }));
  return [...wanted, ...archived].toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
}

/** More archived at once than this may be a mistake, such as a file that was cut off. */
const A_FEW = 5;

/**
 * Whether a push would archive so much that somebody has to say that it is meant: more than a few, or all active plans
 * or discounts. Nothing opens them again.
 *
 * @param active how many are active on the server
 */
export function archivesMuch(changes: readonly CatalogueChange[], active: Readonly<Record<Kind, number>>): boolean {
  const archived = changes.filter(({ does }) => does === 'archive');
  const allOf = (kind: Kind): boolean => active[kind] > 0 && archived.filter((one) => one.kind === kind).length === active[kind];
  return archived.length > A_FEW || allOf('plans') || allOf('discounts');
}

/** Each field that differs: "pricings[usd month].price.amount: 29 → 31". */
function differencesOf(before: unknown, after: unknown, path = ''): string[] {
  const [old, young] = [namedParts(before), namedParts(after)];
  if (old === null || young === null) return isSame(before, after) ? [] : [`${path}: ${shown(before)} → ${shown(after)}`];
  const names = [...new Set([...old.keys(), ...young.keys()])];
  const within = names.flatMap((name) =>
    differencesOf(old.get(name), young.get(name), `${path}${path !== '' && !name.startsWith('[') ? '.' : ''}${name}`),
  );
  const order = within.length === 0 && Array.isArray(after) && !isSame([...old.keys()], [...young.keys()]);
  return order ? [`${path}: another order`] : within;
}

/** The parts of a map by name, those of a list by what names them: pricings, features; else by their position. */
function namedParts(value: unknown): Map<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((part: unknown, at) => [`[${nameOf(part) ?? at}]`, part]));
  return isEntry(value) ? new Map(Object.entries(value)) : null;
}

function nameOf(part: unknown): string | null {
  if (!isEntry(part)) return null;
  if (typeof part.slug === 'string') return part.slug;
  return 'cycle' in part ? pricingName(part) : null;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 58)}…` : text;
}

/** Asks whether an entry is there with an archived state: nothing opens it again. */
export const archivedInFile = (kind: Kind, file: CatalogueFile, held: ReadonlyMap<string, Held>): string[] =>
  [...file.entries[kind].keys()].filter((slug) => held.get(slug)?.isArchived === true);

const NOUN = { plans: 'plan', discounts: 'discount' } as const;
const SIGN = { create: '+', change: '~', archive: '-' } as const;
const SAYS = { create: 'is created', change: 'is changed', archive: 'is archived' } as const;

/** What a change does, in a line, and what differs in the lines below. */
export function catalogueChangeLines({ kind, slug, does, differences }: CatalogueChange): string[] {
  const version = does === 'change' && kind === 'plans' ? ', as a new version' : '';
  return [`${SIGN[does]} ${NOUN[kind]} ${slug} ${SAYS[does]}${version}`, ...differences.map((one) => `    ${one}`)];
}

/** The request that makes an entry as the file has it: what the file leaves out is the default again. */
export function catalogueRequest(kind: Kind, slug: string, entry: CatalogueEntry, id: string | null): CatalogueEntry {
  const usual =
    kind === 'plans'
      ? { external_name: null, description: null, free_trial_days: 0, metadata: {}, change_rules: null, pause_rules: null, features: [] }
      : { currency: null };
  return { ...(id === null ? {} : { id }), slug, ...usual, ...entry };
}
