import type { z } from 'zod';
import { type Feedback, Problem } from './problem.ts';

type Issue = z.core.$ZodIssue;

/** `pricings[0].price.amount`, the same way billing rules name fields. */
const join = (path: readonly PropertyKey[], key?: string): string =>
  [...path, ...(key === undefined ? [] : [key])].reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`),
    '',
  );

/** All wrong fields of a value at once, unknown ones by name. The first complaint about a field stands. */
export function feedbackOf(issues: readonly Issue[], subject: string): Feedback {
  // a map first: a field may be called __proto__
  const feedback = new Map<string, { type: 'error'; value: string }>();
  const say = (field: string, value: string) => {
    const name = field || subject;
    if (!feedback.has(name)) feedback.set(name, { type: 'error', value });
  };
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) say(join(issue.path, key), 'is not known here');
    else if (issue.code === 'invalid_union') tellUnion(issue, say);
    else say(join(issue.path), textOf(issue));
  }
  return Object.fromEntries(feedback);
}

/** Of a union's alternatives the one that came furthest says best what is wrong; where none came far, each says what it wants. */
function tellUnion(issue: Extract<Issue, { code: 'invalid_union' }>, say: (field: string, value: string) => void): void {
  const best = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0];
  if (best === undefined || depth(best) === 0) {
    say(join(issue.path), [...new Set(complaintsOf(issue))].join(', or ') || issue.message);
    return;
  }
  for (const [field, complaint] of Object.entries(feedbackOf(best, '')))
    say([join(issue.path), field].filter(Boolean).join('.'), complaint.value);
}

const complaintsOf = (issue: Issue): string[] =>
  issue.code === 'invalid_union' ? issue.errors.flatMap(([first]) => (first === undefined ? [] : complaintsOf(first))) : [textOf(issue)];

const depth = (issues: readonly Issue[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length + (issue.code === 'invalid_union' ? Math.max(0, ...issue.errors.map(depth)) : 0)));

function textOf(issue: Issue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required';
  return issue.message.replace(/^Invalid (input|option): /, '');
}

/** Parses with a schema or throws one `invalid_request` that names every wrong field. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown, subject: string): z.output<S> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const feedback = feedbackOf(result.error.issues, subject);
  const fields = Object.keys(feedback);
  throw new Problem(
    'invalid_request',
    `${fields.length === 1 ? 'One field is' : `${fields.length} fields are`} not valid: ${fields.join(', ').slice(0, 400)}.`,
    {
      feedback,
    },
  );
}
