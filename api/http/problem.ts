import { errorSubjects } from './error-subjects.ts';
import { type ErrorCode, errors } from './errors.ts';

/** What was wrong, field by field (or subject by subject). */
export type ValidationErrors = Record<string, { type: 'error'; value: string }>;

interface ProblemExtras {
  readonly feedback?: ValidationErrors;
  /** Seconds after which a repeat makes sense. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

const named = (feedback: ValidationErrors | undefined) =>
  feedback !== undefined && Object.keys(feedback).length > 0 ? feedback : undefined;

/** An expected failure: a code of the closed list and what to say about this occurrence. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly feedback: ValidationErrors;
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, detail?: string, extras: ProblemExtras = {}) {
    super(detail ?? errors[code].remedy, { cause: extras.cause });
    this.name = 'Problem';
    this.code = code;
    this.feedback = named(extras.feedback) ?? { [errorSubjects[code]]: { type: 'error', value: this.message } };
    this.retryAfter = extras.retryAfter;
    this.headers = { ...ALWAYS[code], ...extras.headers };
  }

  get status(): number {
    return errors[this.code].status;
  }
}

/** RFC 9110: a 401 names the credentials that would be accepted. */
const ALWAYS: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  unauthorized: { 'www-authenticate': 'ApiKey realm="Perennial", header="wb-key"' },
};

/** Wrong fields named in one response: a caller who sends thousands learns from the first. */
export const MOST_ERRORS = 20;
const [LONGEST_NAME, LONGEST_VALUE, LONGEST_DETAIL] = [80, 300, 500];

/** What a caller sent, short enough for a response. */
export const cut = (text: string, most = LONGEST_NAME): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** A field and what is wrong with it; or the number of further wrong fields that aren't named. */
export type Complaint = readonly [string, string, (number | undefined)?];

/**
 * A 400 that names the first wrong fields, cut to a readable length, and how many there are besides. The first error of
 * a field is shown.
 */
export function invalidFields(complaints: Iterable<Complaint>, most = MOST_ERRORS, cause?: unknown): Problem {
  // a map first: a field may be called __proto__
  const byField = new Map<string, string>();
  const seen = new Set<string>();
  let unnamed = 0;
  for (const [field, complaint, others] of complaints) {
    if (others !== undefined) {
      unnamed += others;
      continue;
    }
    seen.add(field);
    const name = cut(field);
    if (byField.size < most && !byField.has(name)) byField.set(name, cut(complaint, LONGEST_VALUE));
  }
  const feedback = Object.fromEntries([...byField].map(([name, value]) => [name, { type: 'error' as const, value }]));
  return new Problem('invalid_request', listed([...byField], seen.size + unnamed), { feedback, cause });
}

/**
 * `2 fields are not valid: slug (is required), name (must be text, not a list).` What is wrong with the request as a
 * whole is said by itself.
 */
function listed(byField: readonly (readonly [string, string])[], count: number): string {
  const [first] = byField;
  if (count === 1 && first?.[0] === 'request') return asSentence(first[1]);
  const shown: string[] = [];
  let length = 0;
  for (const [name, complaint] of byField) {
    const text = `${name} (${complaint})`;
    length += text.length;
    if (shown.length > 0 && length > LONGEST_DETAIL) break;
    shown.push(text);
  }
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return `${count === 1 ? 'One field is' : `${count} fields are`} not valid: ${shown.join(', ')}${more}.`;
}

/** A 400 that names one field. */
export const invalidField = (field: string, value: string): Problem => invalidFields([[field, value]]);

interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ErrorCode;
  request_id: string;
  feedback: ValidationErrors;
}

/** The RFC 9457 body of a problem. `type` is a path into our own offline documentation. */
export const problemBody = (problem: Problem, instance: string, requestId: string): ProblemBody => ({
  type: `/docs#error-${problem.code}`,
  title: errors[problem.code].title,
  status: problem.status,
  detail: asSentence(problem.message),
  instance,
  code: problem.code,
  request_id: requestId,
  feedback: problem.feedback,
});

/** A rule's message is a clause; every `detail` is a sentence. An id at the beginning stays as it is. */
export function asSentence(text: string): string {
  const first = /^[a-z]+(?=[\s,;:’'])/.test(text) ? text.charAt(0).toUpperCase() : text.charAt(0);
  return `${first}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`;
}
