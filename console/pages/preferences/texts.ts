import { PREFERENCE_FIELDS, type PreferenceField, type PreferenceGroup } from './fields.ts';

/** The fields of a group as a form has them, by their places. */
export type Texts = Readonly<Record<string, string>>;
type Json = Readonly<Record<string, unknown>>;

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (typeof part === 'object' && part !== null ? (part as Json)[name] : undefined), value);

/** The preferences of a group as texts. */
export const textsOf = (group: PreferenceGroup, preferences: unknown): Texts =>
  Object.fromEntries(PREFERENCE_FIELDS[group].map((field) => [field.path, textOf(at(preferences, field.path))]));

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name} ${String(one)}`)
    .join(', ');
}

const WHOLE = /^-?\d{1,9}$/;

/** The value that a text means. What is no number stays text, which the API refuses by the field's name. */
function meantBy({ kind }: PreferenceField, text: string): unknown {
  const parts = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  switch (kind) {
    case 'flag':
      return text === 'true';
    case 'whole':
      return text === '' ? null : numberOf(text);
    case 'days':
      return parts.map(numberOf);
    case 'amounts':
      return Object.fromEntries(parts.map((part) => part.toLowerCase().split(/\s+/, 2)));
    default:
      return text === '' ? null : text;
  }
}

const numberOf = (text: string): number | string => (WHOLE.test(text) ? Number(text) : text);

/** The fields whose texts differ. */
export const changedFields = (group: PreferenceGroup, before: Texts, after: Texts): readonly PreferenceField[] =>
  PREFERENCE_FIELDS[group].filter(({ path }) => before[path] !== after[path]);

/**
 * The body of the API's call that changes what differs, and nothing else. Fields of one object go together: the API
 * takes a rule for changes as a whole.
 */
export function bodyOfChange(group: PreferenceGroup, before: Texts, after: Texts): Json {
  const names = new Set(changedFields(group, before, after).map(({ path }) => path.split('.')[0] ?? ''));
  const body: Record<string, unknown> = {};
  for (const field of PREFERENCE_FIELDS[group]) {
    const [name = '', inner] = field.path.split('.');
    if (!names.has(name)) continue;
    const value = meantBy(field, after[field.path] ?? '');
    body[name] = inner === undefined ? value : { ...(body[name] as Json | undefined), [inner]: value };
  }
  return body;
}
