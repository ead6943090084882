import { defineEntity, p } from '@mikro-orm/core';
import { bytes, id, instant, json, oneOf, textColumn } from './columns.ts';
import { type Address, type Seller, Vendor } from './vendor.ts';

export interface Buyer {
  name: string;
  address: Address | null;
  vat_id: string | null;
}

/** What a printed invoice or credit note says of its parties, as it was when the document was made. */
export const Document = defineEntity({
  name: 'Document',
  tableName: 'document',
  properties: {
    /** id of the invoice or credit note */
    id: id(),
    vendor: () => p.manyToOne(Vendor).ref().createForeignKeyConstraint(false),
    seller: json<Seller>(),
    buyer: json<Buyer>(),
  },
});

/**
 * A document as a PDF, kept from its first print on. `made`: as it was made, for good. `since`: with what happened to
 * it since. `basis` names that state, and the print of the next state replaces this one.
 */
export const DocumentPrint = defineEntity({
  name: 'DocumentPrint',
  tableName: 'document_print',
  indexes: [{ name: 'document_print_since_index', properties: ['printed'], where: `edition = 'since'` }],
  properties: {
    document: () => p.manyToOne(Document).ref().primary().deleteRule('no action').updateRule('no action'),
    edition: oneOf<'made' | 'since'>().primary(),
    basis: textColumn(),
    bytes: bytes(),
    sha256: textColumn(),
    printed: instant(),
  },
});
