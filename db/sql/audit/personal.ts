/** What may say something of a person; the country stays, since it decides about the tax. */
const PERSONAL = [
  ...['name', 'email', 'emails', 'address', 'addresses', 'line_1', 'line_2', 'zip', 'city', 'state', 'notes', 'metadata'],
  ...['customer_reference', 'reference', 'external_reference', 'vat_id', 'tax_details', 'description', 'cancellation'],
];

/**
 * The function that replaces them by null, in objects and lists within an object too. Written in PL/pgSQL, since a
 * function in SQL can't call itself before it exists.
 */
export const WITHOUT_PERSONAL = `create function without_personal(given jsonb) returns jsonb language plpgsql immutable as $$
    begin
      return case jsonb_typeof(given)
        when 'object' then (
          select coalesce(jsonb_object_agg(field, case when field = any('{${PERSONAL}}'::text[]) then 'null' else without_personal(value) end), '{}')
          from jsonb_each(given) as t(field, value))
        when 'array' then (
          select coalesce(jsonb_agg(without_personal(value) order by nth), '[]') from jsonb_array_elements(given) with ordinality as t(value, nth))
        else given end;
    end $$`;

/** SQL: what a column of the audit log holds, with null for each field that is personal. */
export const withoutPersonal = (column: string): string => `without_personal(${column})`;
