import type { Database, Queryable } from '../../db/connect.ts';

/** A customer made through the API, with everything that was written for it: what is copied to make many. */
export interface Template {
  tables: readonly TemplateTable[];
}

export interface TemplateTable {
  name: string;
  columns: readonly TemplateColumn[];
  /** the rows as a JSON array in the text form of Postgres, with marks where each copy is to differ */
  rows: string;
  count: number;
}

export interface TemplateColumn {
  name: string;
  type: string;
  /** its texts have marks */
  marked: boolean;
}

/** Where it stands, in an id or in a name that the caller gave, each copy has digits of its own. */
export const MARK = 'fedcba9876';
/** Rows of these belong to the vendor: what they name stays the same in every copy. */
const SHARED = ['vendor', 'api_key', 'tax_rate', 'test_clock', 'plan', 'feature', 'pricing', 'discount', 'portal_preferences'];
/** Triggers count each copied contract by its plan. */
const COUNTED = ['customer_by_plan', 'customer_by_plan_change'];
/** Nor are numbers that were given, responses that are kept, and the state of the tables. */
const NOT_COPIED = new Set([...SHARED, ...COUNTED, 'invoice_counter', 'idempotency', 'migration']);
/** What tells workflows that they are wanted: copied only where copies are to have some. */
const MESSAGES = 'outbox';
const IDS = /\b[A-Z][A-Za-z]*_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Reads all rows that belong to a customer. Tables are read whole, so templates are read before copies are made. */
export async function readTemplate(db: Database, customerId: string, { messages = false } = {}): Promise<Template> {
  const tables = (await tablesOf(db)).filter(({ name }) => !NOT_COPIED.has(name) && (messages || name !== MESSAGES));
  const own = await ownIds(db, tables, customerId);
  const found: TemplateTable[] = [];
  for (const table of tables) {
    const rows = (await rowsOf(db, table.name, own)).map((row) => marked(row, own));
    if (rows.length > 0) found.push({ ...table, rows: `[${rows.join(',')}]`, count: rows.length, columns: columnsOf(table, rows) });
  }
  return { tables: found };
}

/** The customer's id, those of all rows that name one of them, and those within such rows that stand nowhere else. */
async function ownIds(db: Database, tables: readonly { name: string }[], customerId: string): Promise<Set<string>> {
  const own = new Set([customerId]);
  let rows: string[] = [];
  for (let known = 0; known < own.size; ) {
    known = own.size;
    rows = await rowsOfAll(db, tables, own);
    for (const id of rows.flatMap(idOf)) own.add(id);
  }
  const within = new Set(rows.flatMap(idsIn));
  const elsewhere = await rowsOfAll(
    db,
    [...SHARED, 'ledger_account'].map((name) => ({ name })),
    within,
  );
  const shared = new Set(elsewhere.flatMap(idsIn).filter((id) => !own.has(id)));
  return new Set([...within].filter((id) => !shared.has(id)));
}

const idsIn = (row: string): string[] => row.match(IDS) ?? [];
const idOf = (row: string): string[] => {
  const { id } = JSON.parse(row) as { id?: unknown };
  return idsIn(row).filter((one) => one === id);
};

async function rowsOfAll(db: Database, tables: readonly { name: string }[], ids: ReadonlySet<string>): Promise<string[]> {
  const rows: string[] = [];
  for (const { name } of tables) rows.push(...(await rowsOf(db, name, ids)));
  return rows;
}

/**
 * Every table in the order they were made, so that rows come after those they refer to, with its columns, save those
 * whose values Postgres itself counts on. Partitions belong to their table.
 */
async function tablesOf(db: Queryable): Promise<{ name: string; columns: Omit<TemplateColumn, 'marked'>[] }[]> {
  return db.query(
    `select c.relname as name, jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attgenerated = '' and coalesce(pg_get_expr(d.adbin, d.adrelid) !~ 'nextval|pg_current_xact_id', true)
     group by c.oid order by c.oid`,
  );
}

/**
 * The rows that name one of the ids anywhere, oldest first, as JSON text: numbers and instants keep all their digits.
 */
async function rowsOf(db: Queryable, table: string, ids: ReadonlySet<string>): Promise<string[]> {
  const rows = await db.query<{ row: string }>(
    `select row_to_json(t)::text as row from "${table}" t where exists (select from unnest($1::text[]) as x(id) where position(x.id in t::text) > 0) order by ctid`,
    [[...ids]],
  );
  return rows.map(({ row }) => row);
}

/**
 * The last digits of an id are chance: ids that differ in them alone are of the same instant, as those of a group are.
 */
function marked(row: string, own: ReadonlySet<string>): string {
  let text = row;
  for (const id of own) text = text.replaceAll(id, `${id.slice(0, -MARK.length)}${MARK}`);
  return text;
}

function columnsOf({ columns }: { columns: Omit<TemplateColumn, 'marked'>[] }, rows: readonly string[]): TemplateColumn[] {
  const parsed = rows.map((row) => JSON.parse(row) as Record<string, unknown>);
  const isMarked = (name: string): boolean => parsed.some((row) => JSON.stringify(row[name] ?? null).includes(MARK));
  return columns.map((column) => ({ ...column, marked: isMarked(column.name) }));
}
