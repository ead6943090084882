/** A field's place in a body, `pricings[0].price.amount`, the same way billing rules name fields. */
export const fieldPath = (path: readonly PropertyKey[], field?: string): string =>
  [...path, ...(field === undefined ? [] : [field])].reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`),
    '',
  );
