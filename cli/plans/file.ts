import { readFileSync, writeFileSync } from 'node:fs';
import { Document, isMap, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { CommandError } from '../run.ts';
import { type CatalogueEntry, isEntry } from './form.ts';

/** What the file may have on top. */
export const KINDS = ['plans', 'discounts'] as const;
export type Kind = (typeof KINDS)[number];

/** The catalogue of a file: plans and discounts by slug. */
export interface CatalogueFile {
  entries: Readonly<Record<Kind, ReadonlyMap<string, CatalogueEntry>>>;
  /** Where a field stands: "catalogue.yaml:12: plans.pro.pricings[0].currency". */
  place(path: readonly (string | number)[]): string;
}

/** Fields whose value is decimal text: a number in the file is meant as it is written, "29.00" and not 29. */
const DECIMALS = new Set('amount unit_count minimum_units maximum_units flat_fee over_usage_price up_to unit_price'.split(' '));

/** Reads a catalogue; whatever is wrong with it is one error that names file, line and field. */
export function readCatalogue(path: string): CatalogueFile {
  const lines = new LineCounter();
  const document = parseDocument(textOf(path), { lineCounter: lines, prettyErrors: false });
  const [fault] = document.errors;
  if (fault !== undefined) throw new CommandError(`${path}:${lines.linePos(fault.pos[0]).line}: ${fault.message}`);
  visit(document, {
    Pair: (_key, { key, value }) => {
      if (isScalar(key) && DECIMALS.has(String(key.value)) && isScalar(value) && typeof value.value === 'number')
        value.value = value.source ?? String(value.value);
    },
  });
  const place = (at: readonly (string | number)[]): string => `${path}:${lineOf(document, lines, at)}: ${fieldText(at)}`;
  const content: unknown = document.toJS();
  // an empty file is one that was never written whole: a catalogue without plans says so
  if (!isEntry(content) || Object.keys(content).length === 0)
    throw new CommandError(`${path}:1: give \`plans\` and \`discounts\`, each by slug`);
  for (const name of Object.keys(content))
    if (!KINDS.some((kind) => kind === name)) throw new CommandError(`${place([name])}: there are only ${KINDS.join(' and ')}`);
  return { entries: { plans: bySlug(content, 'plans', place), discounts: bySlug(content, 'discounts', place) }, place };
}

/** Fields that the server gives; in the file the slug is the name of the entry. */
const GIVEN_BY_SERVER = ['id', 'slug', 'status', 'created'];

function bySlug(content: CatalogueEntry, kind: Kind, place: CatalogueFile['place']): Map<string, CatalogueEntry> {
  const given = content[kind] ?? {};
  if (!isEntry(given)) throw new CommandError(`${place([kind])}: give the ${kind} by slug`);
  return new Map(
    Object.entries(given).map(([slug, entry]) => {
      if (!isEntry(entry)) throw new CommandError(`${place([kind, slug])}: give its fields`);
      const wrong = GIVEN_BY_SERVER.find((name) => name in entry);
      if (wrong !== undefined) throw new CommandError(`${place([kind, slug, wrong])}: is not given in a file; leave it out`);
      return [slug, entry];
    }),
  );
}

/** The line of a field; of one that is not there, the line of what it belongs to. */
function lineOf(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const name = path[length - 1];
    const key = isMap(parent) ? parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === name)?.key : null;
    const node = (key ?? document.getIn(path.slice(0, length), true)) as Node | null | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** ['plans', 'pro', 'pricings', 0, 'currency'] is "plans.pro.pricings[0].currency". */
const fieldText = (path: readonly (string | number)[]): string =>
  path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${part}`)).join('');

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}): plans pull writes one`, { cause: error });
  }
}

const HEAD = ` The catalogue: plans and discounts by slug. What is the default is left out.
 plans diff shows what plans push would do; archived ones are not here.`;

export function writeCatalogue(path: string, entries: Readonly<Record<Kind, CatalogueEntry>>): void {
  const document = new Document(entries);
  document.commentBefore = HEAD;
  try {
    writeFileSync(path, document.toString({ lineWidth: 0 }));
  } catch (error) {
    throw new CommandError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
