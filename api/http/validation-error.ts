import type { z } from 'zod';
import { complaintOf } from './complaint.ts';
import { fieldPath } from './field-path.ts';
import { type Complaint, invalidFields, MOST_ERRORS } from './problem.ts';

type Issue = z.core.$ZodIssue;

/** All wrong fields of a value at once, unknown ones by name. */
function* complaintsAbout(issues: readonly Issue[]): Iterable<Complaint> {
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') yield* unknownKeys(issue);
    else if (issue.code === 'invalid_union') yield* aboutUnion(issue);
    else yield [fieldPath(issue.path), issue.message];
  }
}

/** The first ones by name, the rest by their number: it costs a caller nothing to send very many. */
function* unknownKeys({ path, keys }: Extract<Issue, { code: 'unrecognized_keys' }>): Iterable<Complaint> {
  for (const key of keys.slice(0, MOST_ERRORS)) yield [fieldPath(path, key), 'is not known here'];
  if (keys.length > MOST_ERRORS) yield ['', '', keys.length - MOST_ERRORS];
}

/**
 * For a union it reports the errors of the alternative that matched furthest. If none matched a single field, it says
 * what each alternative needs.
 */
function* aboutUnion(issue: Extract<Issue, { code: 'invalid_union' }>): Iterable<Complaint> {
  const best = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0];
  const own = fieldPath(issue.path);
  if (best === undefined || depth(best) === 0) {
    yield [own, [...new Set(messagesOf(issue))].join(', or ') || issue.message];
    return;
  }
  for (const [field, complaint, others] of complaintsAbout(best)) yield [[own, field].filter(Boolean).join('.'), complaint, others];
}

const messagesOf = (issue: Issue): string[] =>
  issue.code === 'invalid_union' ? issue.errors.flatMap(([first]) => (first === undefined ? [] : messagesOf(first))) : [issue.message];

/** By a loop: there may be more issues than a call takes arguments. */
function depth(issues: readonly Issue[]): number {
  let deepest = 0;
  for (const issue of issues) {
    const inside = issue.code === 'invalid_union' ? issue.errors.reduce((most, errors) => Math.max(most, depth(errors)), 0) : 0;
    deepest = Math.max(deepest, issue.path.length + inside);
  }
  return deepest;
}

/** Parses with a schema or throws one `invalid_request` that names the wrong fields, 20 of them at most. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown, subject: string, most = MOST_ERRORS): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true, error: complaintOf });
  if (result.success) return result.data;
  throw invalidFields(named(complaintsAbout(result.error.issues), subject), most);
}

/** What is wrong with the whole is said of the subject. */
function* named(complaints: Iterable<Complaint>, subject: string): Iterable<Complaint> {
  for (const [field, complaint, others] of complaints) yield [field || subject, complaint, others];
}
