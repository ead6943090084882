import type { Asker } from '../../db/audited-call.ts';
import type { Form } from '../../portal/http/form.ts';

/** Longer values are cut: the audit log is no place to keep what anybody may send. */
const MOST_LETTERS = 1_000;
const MOST_FIELDS = 100;

/**
 * The asker with what the form asks for, for the audit log: the fields that the act has, and no others that were sent.
 *
 * @param fields names of the act's fields; one that ends with a dot stands for all that begin with it
 */
export function askerWith(asker: Asker, form: Form, fields: readonly string[]): Asker {
  if (asker.audit === undefined) return asker;
  const isField = (name: string): boolean => fields.some((field) => (field.endsWith('.') ? name.startsWith(field) : name === field));
  const asked = form
    .entries()
    .filter(([name, value]) => value !== '' && isField(name))
    .slice(0, MOST_FIELDS)
    .map(([name, value]) => [name.slice(0, MOST_LETTERS), value.slice(0, MOST_LETTERS)]);
  return { ...asker, audit: { ...asker.audit, asked: Object.fromEntries(asked) } };
}
