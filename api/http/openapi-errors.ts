import { type ErrorCode, errors } from './errors.ts';
import { headersOf, LIMITS } from './openapi-headers.ts';
import { invalidField, Problem, problemBody } from './problem.ts';

type Json = Record<string, unknown>;

const REQUEST_ID = '7c3d8f21-3a9b-4c1d-9e3f-0197a3c45b1e';
const PATH = '/v1/c/contract';
/** The most codes of one status that a shared component describes; longer lists are described with their operation. */
const SHARED = 2;

/** One failure, as it comes over the wire. */
function exampleOf(code: ErrorCode): Json {
  const problem = code === 'invalid_request' ? invalidField('currency', 'is required') : new Problem(code);
  return { summary: errors[code].title, value: problemBody(problem, PATH, REQUEST_ID) };
}

/** Collects how operations fail. What many of them share is there once, as a component. */
export class ErrorResponses {
  readonly #problem: Json;
  readonly #responses = new Map<string, Json>();
  readonly #examples = new Map<ErrorCode, Json>();

  /** @param problem the reference to the schema of every failure */
  constructor(problem: Json) {
    this.#problem = problem;
  }

  /** The responses of all failures of one operation, by status. */
  of(codes: readonly ErrorCode[]): Record<string, Json> {
    const byStatus = Object.groupBy(codes, (code) => String(errors[code].status));
    return Object.fromEntries(Object.entries(byStatus).map(([status, group = []]) => [status, this.#responseFor(status, group)]));
  }

  #responseFor(status: string, codes: readonly ErrorCode[]): Json {
    if (codes.length > SHARED) return this.#made(status, codes);
    const name = codes.join('_or_');
    if (!this.#responses.has(name)) this.#responses.set(name, this.#made(status, codes));
    return { $ref: `#/components/responses/${name}` };
  }

  #made(status: string, codes: readonly ErrorCode[]): Json {
    for (const code of codes) this.#examples.set(code, exampleOf(code));
    const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
    return {
      description: codes.map((code) => `${code}: ${errors[code].title}. ${errors[code].remedy}`).join('\n\n'),
      headers: headersOf(...headersFor(status)),
      content: { 'application/problem+json': { schema: this.#problem, examples } },
    };
  }

  components(): { responses: Record<string, Json>; examples: Record<string, Json> } {
    return { responses: Object.fromEntries(this.#responses), examples: Object.fromEntries(this.#examples) };
  }
}

function headersFor(status: string) {
  if (status === '429') return ['retry-after' as const, ...LIMITS];
  if (status === '401') return ['www-authenticate' as const];
  return status === '409' || status === '503' ? (['retry-after'] as const) : [];
}
