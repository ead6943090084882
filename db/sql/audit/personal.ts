/** What may say something of a person; the country stays, since it decides about the tax. */
const PERSONAL = [
  ...['name', 'email', 'emails', 'address', 'addresses', 'line_1', 'line_2', 'zip', 'city', 'state', 'notes', 'metadata'],
  ...['customer_reference', 'reference', 'external_reference', 'vat_id', 'tax_details', 'description', 'cancellation'],
];

/** SQL: the fields in a column of the audit log, with null for each that is personal. */
export const withoutPersonal = (column: string): string => `(
  select jsonb_object_agg(field, case when field = any('{${PERSONAL}}'::text[]) then 'null' else value end)
  from jsonb_each(${column}) as t(field, value))`;
