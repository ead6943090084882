import { routes } from '../../api/routes.ts';
import type { AnyJson, Api } from '../support/api.ts';

const ID = /[A-Z][A-Za-z]+_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The day of everything in the examples that happens on the wall clock. */
const WALL = '2026-05-04T';
/** Fields with opaque text, which differs each time. */
const OPAQUE = new Set(['estimate_token', 'key', 'secret', 'first', 'last']);

export interface ExampleCall {
  /** Values for the path, with the ids of the examples. */
  params?: Record<string, string>;
  query?: string;
  /** Replaces the example's own body. */
  body?: AnyJson;
}

/** Maps the ids of the examples to the real ids of this run, one to one. */
class Names {
  readonly #real = new Map<string, string>();
  readonly #example = new Map<string, string>();

  pair(example: string, real: string): void {
    const known = [this.#real.get(example) ?? real, this.#example.get(real) ?? example];
    if (known[0] !== real || known[1] !== example) throw new Error(`${example} is ${known[0]}, not ${real}, which is ${known[1]}`);
    this.#real.set(example, real);
    this.#example.set(real, example);
  }

  /** The same value with the real ids and tokens. */
  toReal<T>(value: T): T {
    const text = JSON.stringify(value) ?? 'null';
    return JSON.parse([...this.#real].reduce((all, [example, real]) => all.replaceAll(example, real), text));
  }
}

/** Calls the API with the document's examples and compares the responses with them. */
export class ExampleStory {
  readonly names = new Names();
  readonly played = new Set<string>();
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Plays one operation and compares its response with the example. */
  async play(operationId: string, call: ExampleCall = {}): Promise<void> {
    const { response, status, example } = await this.#call(operationId, call);
    this.played.add(operationId);
    if (example.media === undefined) this.#compare(example.others?.[status] ?? example.response ?? null, response, operationId);
  }

  /** Plays an operation whose response is not compared. */
  async call<T = string>(operationId: string, call: ExampleCall = {}): Promise<T> {
    return (await this.#call(operationId, call)).response as T;
  }

  async #call(operationId: string, { params = {}, query = '', body }: ExampleCall) {
    const route = routes.find((one) => one.operationId === operationId);
    if (route === undefined) throw new Error(`there is no operation ${operationId}`);
    const path = this.names.toReal(route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? `no ${name}`) + query);
    const response = await (route.method === 'get' ? this.#api.get(path) : this.#api.post(path, this.#bodyOf(body ?? route.example.body)));
    if (response.status >= 300) throw new Error(`${operationId} answered ${response.status}: ${JSON.stringify(response.body)}`);
    return { response: response.body as unknown, status: response.status, example: { ...route.example, media: route.media } };
  }

  #bodyOf(body: unknown): unknown {
    return body === undefined ? undefined : this.names.toReal(body);
  }

  #compare(example: unknown, real: unknown, at: string): void {
    if (typeof example === 'string' && typeof real === 'string') {
      this.#compareText(example, real, at);
      return;
    }
    if (typeof example !== 'object' || example === null || typeof real !== 'object' || real === null) {
      expect([at, example]).toEqual([at, real]);
      return;
    }
    const [ours, theirs] = [Object.entries(example), new Map(Object.entries(real))];
    expect([at, ours.map(([name]) => name).toSorted()]).toEqual([at, [...theirs.keys()].toSorted()]);
    for (const [name, value] of ours) this.#compare(value, theirs.get(name), `${at}.${name}`);
  }

  #compareText(example: string, real: string, at: string): void {
    const field = at.slice(at.lastIndexOf('.') + 1);
    if (OPAQUE.has(field)) {
      if (field === 'estimate_token') this.names.pair(example, real);
      return;
    }
    if (example.startsWith(WALL)) {
      expect([at, Number.isNaN(Date.parse(real))]).toEqual([at, false]);
      return;
    }
    const [theirs, ours] = [real.match(ID) ?? [], example.match(ID) ?? []];
    expect([at, example.replace(ID, blank)]).toEqual([at, real.replace(ID, blank)]);
    for (const [index, id] of ours.entries()) this.names.pair(id, theirs[index] ?? '');
  }
}

const blank = (id: string): string => `${id.split('_')[0]}_…`;
