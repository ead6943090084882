/**
 * SQL: a number as documents print it, by a vendor's format: the prefix, then the number with zeros before it up to the
 * width. It is stored with its document, which never changes.
 *
 * @param format the vendor's, as JSON
 * @param prefix the field of the format that has the prefix, in SQL
 */
export const printedNumber = (number: string, format: string, prefix: string): string =>
  `${prefix} || lpad((${number})::text, greatest((${format} ->> 'width')::int, length((${number})::text)), '0')`;
