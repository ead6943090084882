import { folderOf, read, sourceFiles } from './sources.ts';
import { asksOrWrites, RULED, textsIn, unruledSql, unruledValues } from './statuses.ts';

const code = sourceFiles().filter((path) => path.includes('/') && !['test', 'docs'].includes(folderOf(path)));
/** All rules, and what turns their outcomes into facts. */
const writing = code.filter(
  (path) =>
    (/^billing\/(?!lifecycle\/)/.test(path) || (/^(db|services)\//.test(path) && asksOrWrites(read(path)))) &&
    !/^db\/(migrations|entities)\//.test(path),
);
const offences = (paths: readonly string[], find: (source: string) => string[]): string[] =>
  paths.flatMap((path) => find(read(path)).map((offence) => `${path}: ${offence}`));

describe('the status of a contract, customer, invoice, payment attempt or session', () => {
  it('is written by SQL only as its lifecycle says', () => {
    expect(offences(code, unruledSql)).toEqual([]);
  });

  it('is never given to a value or row by name', () => {
    expect(offences(writing, unruledValues)).toEqual([]);
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
  ])('finds %s', (source, offence) => {
    expect(unruledSql(source)).toContain(offence);
  });

  it.each([
    `const PAY = statusMove(invoiceMachine, 'settle', {}); tx.query(\`update invoice set amount_due = 0, status = ${put('PAY.to')} where id = $1 and ${put('PAY.from')}\`)`,
    'tx.query(`insert into customer (id, status) select id, status from json_to_recordset($1) as x(id text, status text)`)',
    "tx.query(`update contract set amount = 2 where status = 'active'`)",
    "tx.query(`update usage_period set status = 'closed' where contract_id = $1`)",
    "tx.query(`select id from invoice where status = 'paid' for update`)",
    'tx.query(`update invoice_item set voided = true where invoice_id = $1`)',
  ])('passes %s', (source) => {
    expect(unruledSql(source)).toEqual([]);
  });
});

describe('the check of values', () => {
  it.each([
    ["insertRows(tx, 'invoice', rows)", true],
    ["tx.query('update contract set amount = 2')", true],
    ["import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';", true],
    ["insertRows(tx, 'payment_refund', rows)", false],
    ['insertMany(tx, Invoice, rows)', true],
    ['updateMany(tx, PaymentRefund, rows)', false],
    ["tx.query('select status from contract')", false],
    ['em.create(Customer, row)', true],
    ['tx.em.upsertMany(PaymentAttempt, rows)', true],
    ["session.status = 'failed'", true],
    ['em.create(PaymentRefund, row)', false],
    ["if (session.status === 'failed') return", false],
  ])('looks at what writes or asks: %s is so, %s', (source, expected) => {
    expect(asksOrWrites(source)).toBe(expected);
  });

  it.each([
    ["insertRows(tx, 'customer', [{ id, status: 'active' }])", "status: 'active'"],
    ["insertRows(tx, 'invoice', rows.map((row) => ({ ...row, status: settled ? 'paid' : row.status })))", "status: 'paid'"],
    ["const fresh: Contract = { ...old, 'status': 'scheduled' as const }", "status: 'scheduled'"],
    ["contract.status = 'moved'", "status: 'moved'"],
    ["const status = given ?? 'failed'", "status: 'failed'"],
    ["insertAttempt(tx, { ['status']: `processing` })", "status: 'processing'"],
    ["em.create(Customer, { status: 'active' })", "status: 'active'"],
    ["em.assign(session, { status: 'succeeded' })", "status: 'succeeded'"],
  ])('finds %s', (source, offence) => {
    expect(unruledValues(source)).toEqual([offence]);
  });

  it.each([
    "insertRows(tx, 'customer', [{ id, status: initialState(customerMachine, 'create') }])",
    "insertRows(tx, 'payment_refund', [{ id, status: 'processing' }])",
    "em.create(PaymentRefund, { id, status: 'processing' })",
    "tx.em.count(PaymentMethod, { customer, status: 'active' })",
    "const period: UsagePeriod = { ...row, status: 'closed' }",
    "const pays = { status: next(invoiceMachine, 'paid', 'settle', facts), is: row.status === 'paid' }",
    "interface Draft { status: 'paid' }",
    "if (status === 'paid') done()",
  ])('passes %s', (source) => {
    expect(unruledValues(source)).toEqual([]);
  });
});
