/** What can be exported. */
export const EXPORT_NOUNS = ['event', 'invoice', 'invoice_item', 'usage', 'posting', 'customer', 'contract'] as const;
export type ExportNoun = (typeof EXPORT_NOUNS)[number];
