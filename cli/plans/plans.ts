import { howMany } from '../../billing/how-many.ts';
import type { DiscountRequest, Perennial, PlanRequest } from '../../client/src/index.ts';
import { ApiFault, answer, vendorApi } from '../connection/api.ts';
import { CommandError, type RunCommand } from '../run.ts';
import { archivedInFile, archivesMuch, type CatalogueChange, catalogueChangeLines, catalogueRequest, changesOf } from './changes.ts';
import { type CatalogueFile, KINDS, type Kind, readCatalogue, writeCatalogue } from './file.ts';
import type { CatalogueEntry } from './form.ts';
import { type Held, readHeld } from './server.ts';

/** Writes the vendor's active plans and discounts to a file. */
export const runPlansPull: RunCommand = async ({ args: [path = ''], say, printResult }) => {
  const { api } = vendorApi();
  const [plans, discounts] = [activeOf(await readHeld(api, 'plans')), activeOf(await readHeld(api, 'discounts'))];
  writeCatalogue(path, { plans, discounts });
  const counts = { plans: Object.keys(plans).length, discounts: Object.keys(discounts).length };
  say(`Wrote ${howMany(counts.plans, 'plan')} and ${howMany(counts.discounts, 'discount')} to ${path}`);
  printResult({ file: path, ...counts });
  return 0;
};

function activeOf(held: ReadonlyMap<string, Held>): CatalogueEntry {
  const active = [...held.values()].filter(({ isArchived }) => !isArchived);
  return Object.fromEntries(active.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)).map(({ slug, form }) => [slug, form]));
}

/** Says what push would do; 1 where it would do something. */
export const runPlansDiff: RunCommand = async ({ args: [path = ''], options, say, printResult }) => {
  const { api } = vendorApi();
  const { changes } = await allChanges(api, readCatalogue(path), options.prune === true, path);
  for (const change of changes) for (const line of catalogueChangeLines(change)) say(line);
  if (changes.length === 0) say('Nothing to do.');
  printResult({ changes });
  return changes.length === 0 ? 0 : 1;
};

/** Makes the server's catalogue that of the file, one plan or discount after the other. */
export const runPlansPush: RunCommand = async ({ args: [path = ''], options, say, printResult }) => {
  const { api } = vendorApi();
  const file = readCatalogue(path);
  const { changes, active } = await allChanges(api, file, options.prune === true, path);
  if (options.yes !== true && archivesMuch(changes, active)) throw new CommandError(archivedText(changes, path));
  for (const change of changes) {
    await carryOut(api, file, change);
    for (const line of catalogueChangeLines(change)) say(line);
  }
  if (changes.length === 0) say('Nothing to do.');
  printResult({ changes });
  return 0;
};

/** Says what a push would archive, in place of doing it. */
function archivedText(changes: readonly CatalogueChange[], path: string): string {
  const archived = changes.filter(({ does }) => does === 'archive');
  const lines = archived.flatMap(catalogueChangeLines).join('\n');
  const [these, they] = archived.length === 1 ? ['this one is', 'it is'] : [`these ${archived.length} are`, 'they are'];
  return `${lines}\nNothing was changed: ${these} active and not in ${path}, and nothing opens what is archived. With --yes ${they} archived.`;
}

/** What a push would do, and how many plans and discounts are active before. */
interface AllChanges {
  changes: CatalogueChange[];
  active: Record<Kind, number>;
}

async function allChanges(api: Perennial, file: CatalogueFile, prune: boolean, path: string): Promise<AllChanges> {
  const changes: CatalogueChange[] = [];
  const archived: string[] = [];
  const active = { plans: 0, discounts: 0 };
  for (const kind of KINDS) {
    const held = await readHeld(api, kind);
    active[kind] = Object.keys(activeOf(held)).length;
    archived.push(
      ...archivedInFile(kind, file, held).map((slug) => `${file.place([kind, slug])}: is archived, and nothing opens it again`),
    );
    changes.push(...changesOf(kind, file, held, prune));
  }
  requireWhole(file, changes);
  if (archived.length > 0) throw new CommandError(`${archived.join('\n')}\nTake it out of ${path}, or give it another slug.`);
  return { changes, active };
}

/** Fields without a default. One that is left out of a change would keep its old value, and differ for ever. */
const NEEDED: Readonly<Record<Kind, readonly string[]>> = {
  plans: ['internal_name', 'strategy', 'pricings'],
  discounts: ['name', 'discount_type', 'amount', 'duration'],
};

function requireWhole(file: CatalogueFile, changes: readonly CatalogueChange[]): void {
  const missing = changes.flatMap(({ kind, slug, does }) =>
    NEEDED[kind].filter((name) => does === 'change' && !(name in (file.entries[kind].get(slug) ?? {}))).map((name) => [kind, slug, name]),
  );
  if (missing.length > 0) throw new CommandError(missing.map((at) => `${file.place(at)}: is needed, and has no default`).join('\n'));
}

async function carryOut(api: Perennial, file: CatalogueFile, { kind, slug, does, id }: CatalogueChange): Promise<void> {
  if (does === 'archive' && id !== null) {
    if (kind === 'plans') await answer(api.archivePlan(id));
    else await answer(api.archiveDiscount(id));
    return;
  }
  const body = catalogueRequest(kind, slug, file.entries[kind].get(slug) ?? {}, id);
  try {
    // what the file holds is checked by the server alone
    if (kind === 'plans') await answer(api.savePlan(body as PlanRequest));
    else await answer(api.saveDiscount(body as DiscountRequest));
  } catch (error) {
    if (error instanceof ApiFault && Object.keys(error.fields).length > 0)
      throw refusedFields(error, (field) => file.place([kind, slug, ...partsOf(field)]));
    throw error;
  }
}

/** The server's complaints, each with the line of the file it is about. */
function refusedFields(refusal: ApiFault, place: (field: string) => string): CommandError {
  const lines = Object.entries(refusal.fields).map(([field, why]) => `${place(field)}: ${why}`);
  return new CommandError(lines.join('\n'), { cause: refusal });
}

/** "pricings[0].price.amount" is ['pricings', 0, 'price', 'amount']. */
const partsOf = (field: string): (string | number)[] =>
  [...field.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, position, name]) => (position === undefined ? (name ?? '') : Number(position)));
