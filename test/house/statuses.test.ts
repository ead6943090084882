import { ERASED } from '../../db/sql/erasure/tables.ts';
import { folderOf, read, sourceFiles } from './sources.ts';
import { unruledSql } from './status-sql.ts';
import { RULED, textsIn, unruledAssignments, unruledValues } from './statuses.ts';
import type { Offence } from './syntax.ts';

const code = sourceFiles().filter((path) => path.includes('/') && !['test', 'docs'].includes(folderOf(path)));
/** All rules, and what turns their outcomes into facts. */
const writing = code.filter((path) => /^(billing\/(?!lifecycle\/)|db\/(?!migrations\/|entities\/)|services\/)/.test(path));
const others = code.filter((path) => !writing.includes(path) && !/^(billing|db)\//.test(path));

/** SQL whose table is put in. Statuses come there by the rows it is given, which are looked at where they are made. */
const OF_ANY_TABLE: Readonly<Record<string, string>> = {
  'db/sql/rows.ts: insert into «» («columns»)': 'writes the rows it is given',
  'db/sql/rows.ts: update «» set «»': 'writes the rows it is given',
  'db/sql/write-many.ts: insert into "«table»" («names»)': 'writes the rows it is given',
  'db/sql/write-many.ts: update "«table»" set «»': 'writes the rows it is given',
  'db/sql/invoice/insert-numbered.ts: insert into "«table»" («names», number, printed_number)': 'writes the rows it is given',
  'db/sql/erasure/erase-page.ts: update «table» set «» «which»': 'sets what the list of erased tables says',
  'bench/growth/copy.ts: insert into "«name»" («names»)': 'copies rows as they are, each with all columns',
  'bench/export/cost.ts: insert into «name» without its columns': 'a table of its own, filled with rows as they are',
};

/** Names that a lifecycle has too, given to what is no row of its table. */
const OF_SOMETHING_ELSE: Readonly<Record<string, string>> = {
  "services/console/plan-move.ts: status: 'active'": 'which plans are asked for',
  "services/email/send-next.ts: status: 'dropped'": 'what became of a letter',
  "services/payment/end-unknown.ts: status: 'failed'": 'the outcome of a charge as an operator knows it, which the lifecycle takes',
  "services/payment/expire-sessions.ts: status: 'pending'": 'the answer of a provider that is not asked',
  "services/payment/method.ts: status: 'active'": 'a payment method',
  "services/payment/note-refund.ts: status: 'failed'": 'the outcome of a refund',
  "services/payment/note-refund.ts: status: failure === null ? ('succeeded' as const) : ('failed' as const)": 'the outcome of a refund',
  "services/payment/record-attempt.ts: status: attempt?.status ?? 'failed'": 'told to a workflow whose attempt is gone',
  "services/payment/standing.ts: status: 'ready_for_payment'": 'shown of invoices that were asked for by it',
  'services/payment/take-notice.ts: status: notice.outcome.status': 'a notice of a provider, kept without its method',
  'services/preferences/portal.ts: status = statuses.get(id)': 'that of a plan',
  "services/webhook/endpoint.ts: status: 'active'": 'a webhook endpoint',
  "services/webhook/settle.ts: status: isDelivered ? 'delivered' : 'failed'": 'a try of a delivery',
};

const offences = (paths: readonly string[], find: (source: string) => Offence[]): { place: string; named: string }[] =>
  paths.flatMap((path) => find(read(path)).map(({ line, what }) => ({ place: `${path}:${line}: ${what}`, named: `${path}: ${what}` })));

const notIn = (found: readonly { place: string; named: string }[], names: Readonly<Record<string, string>>): string[] =>
  found.filter(({ named }) => !(named in names)).map(({ place }) => place);
const unused = (found: readonly { named: string }[], names: Readonly<Record<string, string>>): string[] =>
  Object.keys(names).filter((name) => !found.some(({ named }) => named === name));

describe('the status of a contract, customer, invoice, payment attempt, gate or session', () => {
  it('is written by SQL only as its lifecycle says', () => {
    const found = offences(code, unruledSql);
    expect(notIn(found, OF_ANY_TABLE)).toEqual([]);
    expect(unused(found, OF_ANY_TABLE)).toEqual([]);
  });

  it('is given to values and rows only as a lifecycle or another row says', () => {
    const found = offences(writing, unruledValues);
    expect(notIn(found, OF_SOMETHING_ELSE)).toEqual([]);
    expect(unused(found, OF_SOMETHING_ELSE)).toEqual([]);
  });

  it('is set in no folder that makes no rows', () => {
    expect(offences(others, unruledAssignments).map(({ place }) => place)).toEqual([]);
  });

  it('stays as it is where personal data is erased', () => {
    const changes = ERASED.flatMap(({ table, becomes, following = [] }) => [{ table, becomes }, ...following]);
    expect(changes.filter(({ table, becomes }) => table in RULED && JSON.stringify(becomes).includes('"status"'))).toEqual([]);
  });

  it.each(Object.entries(RULED))('%s: every trigger and every start is asked for somewhere', (table, machine) => {
    const name = `${table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}Machine`;
    const asking = writing.filter((path) => new RegExp(`\\b${name}\\b`).test(read(path)));
    const asked = new Set(asking.flatMap((path) => [...textsIn(read(path))]));
    const known = [...machine.starts.map(({ event }) => event), ...machine.transitions.map(({ trigger }) => trigger)];
    expect([...new Set(known)].filter((one) => !asked.has(one))).toEqual([]);
  });
});

/** Something put into a sample's text. */
const put = (name: string): string => `\${${name}}`;

const whatIn = (found: readonly Offence[]): string[] => found.map(({ what }) => what);

describe('the check of SQL', () => {
  it.each([
    ["tx.query(`update invoice set status = 'paid' where id = $1`)", "update invoice set status = 'paid'"],
    ["tx.query('update customer set frozen_at = $2, status = $3 where id = $1')", 'update customer set status = $3'],
    [
      "tx.query(`update contract c set ended = now(), status = case when a is distinct from b then 'moved' else c.status end from x where true`)",
      "update contract set status = case when a is distinct from b then 'moved' else c.status end",
    ],
    [`tx.query(\`update payment_attempt set status = ${put('state')} where id = $1\`)`, 'update payment_attempt set status = «state»'],
    [`tx.query(\`update payment_attempt set status = ${put('DROP.to')} where id = $1\`)`, 'update payment_attempt set status = «DROP.to»'],
    [
      `const END = statusMove(m, 't'); tx.query(\`update payment_session set status = coalesce(${put('END.to')}, 'failed')\`)`,
      "update payment_session set status = coalesce(«END.to», 'failed')",
    ],
    [`tx.query(\`update invoice set ${put('sets')} where id = $1\`)`, 'update invoice set «sets»'],
    ["tx.query(`update invoice set (amount_due, status) = (0, 'paid')`)", "update invoice set (amount_due, status) = (0, 'paid')"],
    ["tx.query('update invoice set ' + `status = 'paid'`)", "update invoice set status = 'paid'"],
    ["tx.query(`insert into customer (id, status) values ($1, 'active')`)", 'insert into customer (id, status)'],
    ['tx.query(`insert into customer (status, id) select id, status from given`)', 'insert into customer (status, id)'],
    ["tx.query(`insert into customer (id, status) select id, 'active' from given`)", 'insert into customer (id, status)'],
    [
      "tx.query(`insert into invoice as i (id) values ($1) on conflict (id) do update set status = 'paid' where i.id = $1`)",
      "insert into invoice: set status = 'paid'",
    ],
    [
      "tx.query(`with gone as (update contract set status = 'canceled' returning id) select id from gone`)",
      "update contract set status = 'canceled'",
    ],
    [`tx.query('update ' + table + " set status = 'paid'")`, "update «table» set status = 'paid'"],
    [`tx.query(\`update ${put('quoted(table)')} set ${put("sets.join(', ')")}\`)`, 'update «» set «»'],
    [`tx.query(['update invoice', "set status = 'paid'"].join(' '))`, "set status = 'paid'"],
    [`tx.query(START + " set status = 'paid'")`, "set status = 'paid'"],
    [`insertRows(tx, 'invoice', rows, "on conflict (id) do update set status = 'paid'")`, "set status = 'paid'"],
    ['tx.query(`update only public."invoice" set STATUS = $1`)', 'update public."invoice" set STATUS = $1'],
    ['tx.query(`update invoice as i set "status" = $1`)', 'update invoice set "status" = $1'],
    ['tx.query(`insert into contract select c.* from contract c`)', 'insert into contract without its columns'],
    [`tx.query(\`insert into ${put('table')} (${put('columns')}) values ($1)\`)`, 'insert into «table» («columns»)'],
    ['tx.query(`merge into invoice i using given g on g.id = i.id when matched then update set status = g.status`)', 'merge into invoice'],
    [
      'tx.query(`insert into invoice (id) values ($1) on conflict (id) do update set status = excluded.status`)',
      'insert into invoice: set status = excluded.status',
    ],
  ])('finds %s', (source, offence) => {
    expect(whatIn(unruledSql(source))).toContain(offence);
  });

  it.each([
    `const PAY = statusMove(invoiceMachine, 'settle', {}); tx.query(\`update invoice set amount_due = 0, status = ${put('PAY.to')} where id = $1 and ${put('PAY.from')}\`)`,
    'tx.query(`insert into customer (id, status) select id, status from json_to_recordset($1) as x(id text, status text)`)',
    "tx.query(`update contract set amount = 2 where status = 'active'`)",
    "tx.query(`update usage_period set status = 'closed' where contract_id = $1`)",
    "tx.query(`select id from invoice where status = 'paid' for update`)",
    'tx.query(`update invoice_item set voided = true where invoice_id = $1`)',
    "tx.query('update usage_period ' + `set status = 'closed' where contract_id = $1`)",
    "tx.query(`insert into portal_session (hash, status) values ($1, 'open') on conflict (hash) do update set status = 'open'`)",
    "tx.query(`set local lock_timeout = '1s'`)",
    "throw new Refusal('invalid', 'a price is set by its plan, not by its status')",
  ])('passes %s', (source) => {
    expect(unruledSql(source)).toEqual([]);
  });
});

describe('the check of values', () => {
  const asking = (source: string): string => `import { initialState, next } from '../../billing/lifecycle/machine.ts';\n${source}`;

  it.each([
    ["insertRows(tx, 'customer', [{ id, status: 'active' }])", "status: 'active'"],
    [
      "insertRows(tx, 'invoice', rows.map((row) => ({ ...row, status: settled ? 'paid' : row.status })))",
      "status: settled ? 'paid' : row.status",
    ],
    ["const fresh: Contract = { ...old, 'status': 'scheduled' as const }", "'status': 'scheduled' as const"],
    ["contract.status = 'moved'", "contract.status = 'moved'"],
    ["const status = given ?? 'failed'", "status = given ?? 'failed'"],
    ["insertAttempt(tx, { ['status']: `processing` })", "['status']: `processing`"],
    ["em.create(Customer, { status: 'active' })", "status: 'active'"],
    ["em.assign(session, { status: 'succeeded' })", "status: 'succeeded'"],
    ['const freeze = (given: State) => tx.em.nativeUpdate(Customer, { id }, { status: given })', 'status: given'],
    ["tx.em.nativeUpdate(Customer, { id, status: 'active' }, { status: 'inactive' })", "status: 'inactive'"],
    ["const S = 'active'; em.create(Customer, { status: S })", 'status: S'],
    ["const S = 'active' as const; const T = S; em.create(Customer, { status: T })", 'status: T'],
    ['updateMany(tx, Invoice, rows.map((r) => ({ ...r, status: map[r.kind] })))', 'status: map[r.kind]'],
    ["customer['status'] = given", "customer['status'] = given"],
    ["(customer as Customer).status = 'inactive'", "(customer as Customer).status = 'inactive'"],
    ['Object.assign(customer, { status: given })', 'status: given'],
    ["Reflect.set(customer, 'status', given)", "Reflect.set(customer, 'status', given)"],
    ["customer[field] = 'inactive'", "customer[field] = 'inactive'"],
    ["em.assign(customer, { [field]: 'inactive' })", "[field]: 'inactive'"],
    ['const save = (status: State) => em.create(Customer, { id, status })', 'status'],
    ['const save = ({ given }: { given: State }) => em.create(Customer, { status: given })', 'status: given'],
    ["const save = ({ status = 'active' }) => em.create(Customer, row)", "status = 'active'"],
    ['em.assign(attempt, { status: outcome.status })', 'status: outcome.status'],
    ['em.assign(attempt, { status: charged.outcome.status })', 'status: charged.outcome.status'],
    ['function next() {} em.assign(invoice, { status: next() })', 'status: next()'],
    ["import { next } from './generator.ts'; em.assign(invoice, { status: next() })", 'status: next()'],
    ['em.assign(invoice, { status: stateOf(invoice) })', 'status: stateOf(invoice)'],
    ["export function statusOnceMade() { return 'paid'; }", "return 'paid';"],
    ["insertRows(tx, table, [{ status: 'active' }])", "status: 'active'"],
    ["const E = Invoice; em.create(E, { status: 'paid' })", "status: 'paid'"],
    ["import { Invoice as Bill } from '../../db/entities/invoice.ts'; em.create(Bill, { status: 'paid' })", "status: 'paid'"],
    ["const open = { status: 'paid' as const }; em.count(Invoice, open); em.assign(invoice, open)", "status: 'paid' as const"],
    ["const own = await em.findOne(Invoice, { id }); own.status = 'paid'", "own.status = 'paid'"],
    ["em.createQueryBuilder(Invoice).update({ status: 'paid' }).where({ id })", "status: 'paid'"],
    ["em.find(Invoice, { id }).then((rows) => rows.map((row) => ({ ...row, status: 'paid' })))", "status: 'paid'"],
  ])('finds %s', (source, offence) => {
    expect(whatIn(unruledValues(source))).toEqual([offence]);
  });

  it.each([
    asking("insertRows(tx, 'customer', [{ id, status: initialState(customerMachine, 'create') }])"),
    asking("const pays = { status: next(invoiceMachine, 'paid', 'settle', facts), is: row.status === 'paid' }"),
    asking("stored.status = next(customerMachine, stored.status, 'freeze')"),
    asking("const status = next(invoiceMachine, row.status, 'void'); em.assign(row, { status })"),
    asking("const ENDED = next(contractMachine, row.status, 'expire'); em.assign(row, { status: isOver ? ENDED : row.status })"),
    "insertRows(tx, 'payment_refund', [{ id, status: 'processing' }])",
    "em.create(PaymentRefund, { id, status: 'processing' })",
    "tx.em.count(PaymentMethod, { customer, status: 'active' })",
    "tx.em.nativeUpdate(Customer, { id, status: 'active' }, { resumeAt })",
    "const open = { customerId, status: 'ready_for_payment' } as const; await db.em().find(Invoice, open)",
    "const status = { $in: ['pending', 'active'] as const }; em.findOne(ContractRecord, { id, status })",
    "em.createQueryBuilder(PaymentAttempt).select('*').where({ invoiceId, status: 'failed' })",
    "const method = await em.findOne(PaymentMethod, { id }); method.status = 'active'",
    "const period: UsagePeriod = { ...row, status: 'closed' }",
    'updateMany(tx, Invoice, rows.map(({ id, status }) => ({ id, status })))',
    'const rowOf = ({ id, status: state }: Contract) => ({ id, status: state })',
    "interface Draft { status: 'paid' }",
    "if (status === 'paid') done()",
  ])('passes %s', (source) => {
    expect(unruledValues(source)).toEqual([]);
  });

  it.each([
    "customer.status = 'inactive'",
    'Object.assign(customer, { status: given })',
    'tx.em.assign(customer, { status })',
    "Reflect.set(customer, 'status', given)",
  ])('finds in a folder that makes no rows: %s', (source) => {
    expect(unruledAssignments(source)).toHaveLength(1);
  });

  it.each(['ctx.status = 404', 'this.status = status', "const answer = { status: 'failed' }", "show({ status: 'paid' })"])(
    'passes in a folder that makes no rows: %s',
    (source) => {
      expect(unruledAssignments(source)).toEqual([]);
    },
  );

  it('says the line', () => {
    expect(unruledValues("// ä\n\nconst a = 1;\n  em.create(Customer, {\n    status: 'active' })")).toEqual([
      { line: 5, what: "status: 'active'" },
    ]);
  });
});
