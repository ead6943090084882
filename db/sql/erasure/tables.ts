import { withoutPersonal } from '../audit/personal.ts';
import type { ErasedTable } from './table.ts';

/** What a customer's own row says of a person; it is blank as soon as the erasure begins. */
export const OF_CUSTOMER = [
  'name',
  'emails',
  'email_keys',
  'addresses',
  'metadata',
  'customer_reference',
  'notes',
  'vat_id',
  'search',
] as const;

const CONTRACTS = 'select c.id from contract c where c.customer_id = $1';
const DOCUMENTS = `select i.id from invoice i where i.customer_id = $1 union all select n.id from credit_note n where n.customer_id = $1`;

/** The country stays, since the tax was computed by it. */
const ADDRESS = `case when jsonb_typeof(t.buyer -> 'address') = 'object' then
  jsonb_build_object('line_1', '', 'line_2', null, 'city', '', 'state', null, 'zip', '', 'country', t.buyer #> '{address,country}') end`;

const IS_IN_ENDED = `(select i.status from import i where i.id = t.import_id) = 'done'`;

/** What callers have asked about the row, and the responses to requests whose path names it. */
const REQUESTS: ErasedTable['following'] = [
  { table: 'idempotency', by: 'subject', becomes: 'deleted' },
  { table: 'audit', by: 'object_id', becomes: { before: withoutPersonal('before'), after: withoutPersonal('after') } },
];

/** Objects as events show them, and what the answers of endpoints may repeat of that. */
const OF_EVENTS: readonly ErasedTable[] = [
  {
    table: 'webhook_try',
    of: `t.event_id in (select e.id from event_body b join event e on e.seq = b.event_seq where b.customer_id = $1)`,
    order: [['id', 'bigint']],
    becomes: { answer: 'null' },
  },
  {
    table: 'event_body',
    of: 't.customer_id = $1',
    order: [['event_seq', 'bigint']],
    // ids, type, time and place in the log stay
    becomes: { body: `(t.body::jsonb || jsonb_build_object('data', jsonb_build_object('id', t.object_id, 'object', null)))::text` },
  },
];

/**
 * Everything that is erased of a customer beside its own row, table by table, in this order: what a document says of
 * its buyer before its prints, so that no print made meanwhile is kept; methods once their providers have deleted them.
 * Events come twice, the second time last: one that is first read meanwhile shows what is still there.
 */
export const ERASED: readonly ErasedTable[] = [
  { table: 'customer', of: 't.id = $1', order: [['id', 'text']], becomes: null, following: REQUESTS },
  {
    table: 'document',
    of: `t.id in (${DOCUMENTS})`,
    order: [['id', 'text']],
    becomes: { buyer: `jsonb_build_object('name', '', 'vat_id', null, 'address', ${ADDRESS})` },
  },
  {
    table: 'customer_history',
    of: 't.customer_id = $1',
    order: [['id', 'bigint']],
    becomes: { notes: `case when t.kind like 'email\\_%' then split_part(t.notes, ':', 1) end` },
  },
  {
    table: 'contract',
    of: 't.customer_id = $1',
    order: [['id', 'text']],
    becomes: { cancellation: `t.cancellation || '{"notes": null}'` },
    following: REQUESTS,
  },
  {
    table: 'contract_history',
    of: `t.contract_id in (${CONTRACTS})`,
    order: [['id', 'bigint']],
    becomes: { detail: `t.detail - 'notes'` },
  },
  ...OF_EVENTS,
  {
    table: 'import_line',
    of: `t.input is not null and t.ref_key in (select r.ref_key from import_ref r where r.customer_id = $1)`,
    order: [
      ['import_id', 'text'],
      ['number', 'bigint'],
    ],
    // of an import that has ended, those that wait are to be deleted, and count nowhere
    becomes: {
      input: 'null',
      outcome: `case when ${IS_IN_ENDED} then t.outcome else 'refused' end`,
      code: `case when ${IS_IN_ENDED} then t.code else 'customer_erased' end`,
    },
  },
  // a line with the ref of somebody who was erased is no repeat any more
  { table: 'import_ref', of: 't.customer_id = $1', order: [['ref_key', 'text']], becomes: { fingerprint: `''` } },
  { table: 'invoice', of: 't.customer_id = $1', order: [['id', 'text']], becomes: null, following: REQUESTS },
  { table: 'credit_note', of: 't.customer_id = $1', order: [['id', 'text']], becomes: { notes: 'null' }, following: REQUESTS },
  {
    table: 'wallet_transaction',
    of: 't.wallet_id in (select w.id from wallet w where w.customer_id = $1)',
    order: [['id', 'text']],
    becomes: { description: `case when t.kind in ('grant', 'opening') then '' else t.description end` },
  },
  { table: 'credit_grant', of: 't.customer_id = $1', order: [['id', 'text']], becomes: { description: 'null' }, following: REQUESTS },
  {
    table: 'usage_event',
    of: 't.customer_id = $1',
    order: [
      ['timestamp', 'timestamptz'],
      ['id', 'text'],
    ],
    becomes: { metadata: `'{}'` },
    following: [...REQUESTS, { table: 'usage_event_history', by: 'event_id', becomes: { notes: 'null' } }],
  },
  {
    table: 'payment_attempt',
    of: 't.customer_id = $1',
    order: [['id', 'text']],
    // what a vendor gave with a payment by hand; a provider's own reference is needed for a dispute that comes late
    becomes: { reference: 'case when t.method_id is not null then t.reference end', return_url: 'null' },
  },
  {
    table: 'payment_session',
    of: 't.customer_id = $1',
    order: [['id', 'text']],
    becomes: { reference: 't.id', customer_reference: 'null' },
    following: REQUESTS,
  },
  { table: 'portal_token', of: 't.customer_id = $1', order: [['hash', 'text']], becomes: 'deleted' },
  { table: 'portal_session', of: 't.customer_id = $1', order: [['hash', 'text']], becomes: 'deleted' },
  { table: 'agenda', of: `t.customer_id = $1 and t.kind <> 'erasure'`, order: [['id', 'bigint']], becomes: 'deleted' },
  {
    table: 'document_print',
    of: `t.document_id in (${DOCUMENTS})`,
    order: [
      ['document_id', 'text'],
      ['edition', 'text'],
    ],
    becomes: 'deleted',
  },
  {
    table: 'payment_method',
    of: 't.customer_id = $1',
    order: [['id', 'text']],
    becomes: {
      details: `'{"brand": null, "last4": null, "expMonth": null, "expYear": null}'`,
      holder_name: 'null',
      reference: 't.id',
      customer_reference: 'null',
    },
    following: REQUESTS,
  },
  ...OF_EVENTS,
];
