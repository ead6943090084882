import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { RefusalCode } from '../../billing/refusal.ts';
import { big, id, instant, json, oneOf, textColumn, whole } from './columns.ts';
import { Customer } from './customer.ts';
import { ApiKey, Vendor } from './vendor.ts';

/** `open`: lines are still added; `running`: its workflow carries them out. */
export type ImportStatus = 'open' | 'running' | 'stopped' | 'done';

/** An existing book of customers on its way from another system. */
export const Import = defineEntity({
  name: 'Import',
  tableName: 'import',
  indexes: [
    { properties: ['vendorId', 'created', 'id'] },
    { name: 'import_open_index', properties: ['created'], where: `status = 'open'` },
  ],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    /** who asked for it; null: nobody with a key */
    keyId: () => p.manyToOne(ApiKey).mapToPk().joinColumn('key_id').strictNullable().deleteRule('no action'),
    status: oneOf<ImportStatus>().default('open'),
    created: instant(),
    ended: instant().strictNullable(),
  },
});
export type ImportRecord = InferEntity<typeof Import>;

/** What a line makes; `unreadable`: it says nothing that is known. */
export type ImportLineType = 'customer' | 'contract' | 'wallet' | 'unreadable';

/** What became of a line; `repeated`: the same line was imported before. */
export type ImportOutcome = 'made' | 'repeated' | 'refused';

/** What is wrong with a field of a line, and what to give instead. */
export interface LineProblem {
  field: string;
  fix: string;
}

/** `internal_error`: it failed in a way that nobody expects. */
export type LineRefusalCode = RefusalCode | 'internal_error';

/** A line of an import, and what became of it; its outcome is written in the transaction of what it makes. */
export const ImportLine = defineEntity({
  name: 'ImportLine',
  tableName: 'import_line',
  indexes: [
    { name: 'import_line_waiting_index', properties: ['importId', 'position'], where: 'outcome is null' },
    { name: 'import_line_outcome_index', properties: ['importId', 'outcome', 'number'] },
    { name: 'import_line_ref_index', properties: ['refKey'], where: 'input is not null' },
  ],
  properties: {
    importId: () => p.manyToOne(Import).mapToPk().joinColumn('import_id').primary(),
    /** of the line in its file, from 1 */
    number: whole().primary(),
    type: oneOf<ImportLineType>(),
    /** customers first, then contracts, then wallets, each in the order of their numbers */
    position: big(),
    /** names what the line makes, without saying the ref itself, which may be personal; null: none could be read */
    refKey: textColumn().strictNullable(),
    /** tells a repeat from a line of another content */
    fingerprint: textColumn(),
    /** JSON; null once the line has an outcome: nothing personal is kept twice */
    input: textColumn().strictNullable(),
    /** null: still to be carried out */
    outcome: oneOf<ImportOutcome>().strictNullable(),
    /** why it was refused */
    code: oneOf<LineRefusalCode>().strictNullable(),
    problems: json<LineProblem[]>().strictNullable(),
    /** what it has made, or the line that it repeats */
    objectId: textColumn().strictNullable(),
    at: instant().strictNullable(),
  },
});
export type ImportLineRecord = InferEntity<typeof ImportLine>;

/** What the lines of a vendor's imports have made, by their refs. */
export const ImportRef = defineEntity({
  name: 'ImportRef',
  tableName: 'import_ref',
  indexes: [{ properties: ['customerId', 'refKey'] }],
  properties: {
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id').primary(),
    refKey: textColumn().primary(),
    objectId: textColumn(),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    fingerprint: textColumn(),
  },
});
