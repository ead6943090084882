import type { z } from 'zod';
import type { Asker } from '../../db/audited-call.ts';
import type { StoredResponse } from '../../db/sql/idempotency/request.ts';
import type { ApiDependencies, Transaction } from './dependencies.ts';
import type { ErrorCode } from './errors.ts';
import type { IdempotencyRef } from './idempotency.ts';
import type { Tag } from './tags.ts';

export type HttpMethod = 'get' | 'post' | 'delete';

/** What a key may do: `full` everything, `read` all reads, `usage` reporting usage. */
export type Scope = 'full' | 'usage' | 'read';

/** The tenant and key of an authenticated request. Both are empty text on routes that need no key. */
export interface Tenant {
  readonly vendor: string;
  readonly apiKeyId: string;
}

export interface Request<P, Q, B> extends Tenant {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly requestId: string;
  /** Who asks, and for what: for the transaction that the request's effect is made in. */
  readonly asker: Asker;
  /** Given when the caller sent an Idempotency-Key; the effect must store its response under it. */
  readonly idempotency: IdempotencyRef | null;
  /** Where the request was sent, e.g. `http://localhost:3000`, for URLs in responses. */
  readonly origin: string;
  /** Sets a response header, e.g. a cookie. */
  readonly setHeader: (name: string, value: string) => void;
  readonly header: (name: string) => string;
}

/** A request whose effect and stored response share one transaction. */
interface WriteRequest<P, Q, B> extends Request<P, Q, B> {
  readonly tx: Transaction;
}

/** A response with another status than the route's first one. */
export class ApiResponse<T> {
  readonly status: number;
  readonly body: T;
  /** Whether this very response contains a secret; undefined: as the route says. */
  readonly secret: boolean | undefined;

  constructor(status: number, body: T, secret?: boolean) {
    this.status = status;
    this.body = body;
    this.secret = secret;
  }
}

/**
 * A response of a request of which a part failed for now. It isn't stored, so that a repeat under the same
 * Idempotency-Key tries that part again; the route sees to it that what was done isn't done twice.
 */
export class UnfinishedResponse<T> extends ApiResponse<T> {}

/** A response that is a file, not JSON. The route's `media` says of which type. */
export class FileResponse {
  readonly bytes: Buffer;
  readonly name: string;

  constructor(bytes: Buffer, name: string) {
    this.bytes = bytes;
    this.name = name;
  }
}

/** A response's body that is written once and sent many times. */
export class WrittenBody<T> {
  declare private readonly of: T;
  readonly text: string;

  constructor(body: T) {
    this.text = JSON.stringify(body);
  }
}

/**
 * A response that waits for what follows from the effect, once that is committed. The effect is noted under the
 * request's key with `effect`, by which a repeat finds it when this process dies meanwhile.
 */
export class LaterResponse<A> {
  readonly effect: string;
  /** never throws but for a refusal: the effect is made */
  readonly respond: () => Promise<A>;

  constructor(effect: string, respond: () => Promise<A>) {
    this.effect = effect;
    this.respond = respond;
  }
}

type Outcome<A> = A | ApiResponse<A> | FileResponse | WrittenBody<A>;

interface RouteBase<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> {
  readonly method: HttpMethod;
  /** The path, with `{name}` for each parameter; `params` has to name every one. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** What a caller cannot guess from the summary. */
  readonly description: string;
  readonly tag: Tag;
  /** null: no key is needed. */
  readonly scope: Scope | null;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** The request body may be absent. */
  readonly bodyOptional?: boolean;
  /** The first status is the usual one. A null schema is an empty body. */
  readonly response: Readonly<Record<number, A | null>>;
  /** The type of a file that is sent in place of JSON. */
  readonly media?: 'application/pdf';
  readonly errors: readonly ErrorCode[];
  /** Why the audit log has no entry of its calls; absent: it has one for each call that changes something. */
  readonly unaudited?: string;
  /**
   * A request and its responses as they come; `others` by status where not all are the same. An empty body and a file
   * need none.
   */
  readonly example: { readonly body?: unknown; readonly response?: unknown; readonly others?: Readonly<Record<number, unknown>> };
  /** The response contains a secret: it is never stored for repeats. */
  readonly secret?: boolean;
  /** The route stores Idempotency-Keys itself, with its effect. */
  readonly ownIdempotency?: boolean;
  /**
   * For a route that needs no API key: finds the vendor that an Idempotency-Key belongs to; null where there is none.
   * Without this function the route takes no Idempotency-Key.
   */
  readonly idempotencyOwner?: (params: z.output<P>, deps: ApiDependencies) => Promise<string | null>;
  /**
   * The statement that reads the route's response, or makes its effect, checks the key itself (`liveKey`), so a key
   * that this process remembers is not looked up before. For a key that has ended such a route fails with any refusal,
   * and its caller gets `unauthorized`. A write needs `ownIdempotency` too, since a lease would be written before the
   * check.
   */
  readonly ownKeyCheck?: boolean;
}

interface ReadRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> extends RouteBase<P, Q, B, A> {
  readonly run: (request: Request<z.output<P>, z.output<Q>, z.output<B>>, deps: ApiDependencies) => Promise<Outcome<z.input<A>>>;
  readonly write?: never;
}

/** An effect that is made in one transaction with others. */
interface TogetherEffect<A> {
  /** what the request is answered with, once the effect is made */
  readonly outcome: A;
  /**
   * Makes it and stores the response under the key, if there is one. False: nothing is made, because the key was used
   * or the request has to go its own way.
   */
  readonly make: (answer: { ref: IdempotencyRef; response: StoredResponse } | null) => Promise<boolean>;
}

interface WriteRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType> extends RouteBase<P, Q, B, A> {
  readonly write: (
    request: WriteRequest<z.output<P>, z.output<Q>, z.output<B>>,
    deps: ApiDependencies,
  ) => Promise<Outcome<z.input<A>> | LaterResponse<z.input<A>>>;
  /** Requests with the same text queue in this process before they take a connection: the contract they are about. */
  readonly queue?: (params: z.output<P>) => string;
  /** For requests that can be made together with others that arrive with them; null: this one can't. */
  readonly together?: (request: Request<z.output<P>, z.output<Q>, z.output<B>>, deps: ApiDependencies) => TogetherEffect<z.input<A>> | null;
  readonly run?: never;
}

/** A route as the framework sees it, its schemas' types erased. */
export interface Route extends RouteBase<z.ZodType, z.ZodType, z.ZodType, z.ZodType> {
  readonly run?: (request: Request<unknown, unknown, unknown>, deps: ApiDependencies) => Promise<unknown>;
  readonly write?: (request: WriteRequest<unknown, unknown, unknown>, deps: ApiDependencies) => Promise<unknown>;
  readonly idempotencyOwner?: (params: unknown, deps: ApiDependencies) => Promise<string | null>;
  readonly queue?: (params: unknown) => string;
  readonly together?: (request: Request<unknown, unknown, unknown>, deps: ApiDependencies) => TogetherEffect<unknown> | null;
}

/**
 * Declares an endpoint. `write` gets a transaction in which the response to an Idempotency-Key is stored too; `run`
 * reads, or passes the `idempotency` reference to the code that makes the effect.
 */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  definition: ReadRoute<P, Q, B, A> | WriteRoute<P, Q, B, A>,
): Route {
  // the schemas parse what `run` gets, so the erased types are right by construction
  return definition as unknown as Route;
}

/** Whether requests of a route may have an Idempotency-Key. */
export const takesIdempotencyKey = ({ method, scope, idempotencyOwner }: Route): boolean =>
  method === 'post' && (scope !== null || idempotencyOwner !== undefined);

/** The id of what a create-or-update made (201) or changed (200). */
export const savedAs = (id: string, isNew: boolean): ApiResponse<string> => new ApiResponse(isNew ? 201 : 200, id);
