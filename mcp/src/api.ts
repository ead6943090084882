import { ToolRefusal } from './answer.ts';
import { type Catalogue, catalogueOf } from './catalogue.ts';
import type { OpenApi } from './openapi.ts';
import type { ApiRequest } from './request.ts';

export interface Answer {
  readonly isRefused: boolean;
  readonly text: string;
}

const TIMEOUT_MS = 30_000;

/** A running Perennial, with a key of one vendor. */
export class Api {
  readonly #base: string;
  readonly #key: string;
  #catalogue: Promise<Catalogue> | null = null;

  constructor(baseUrl: string, key: string) {
    this.#base = new URL(baseUrl).href.replace(/\/+$/, '');
    this.#key = key;
  }

  /** What the server can do, from its own document; read once. */
  catalogue(): Promise<Catalogue> {
    this.#catalogue ??= this.#read().catch((error: unknown) => {
      // the server may be there when it is asked again
      this.#catalogue = null;
      throw error;
    });
    return this.#catalogue;
  }

  async #read(): Promise<Catalogue> {
    const { isRefused, text } = await this.send({ method: 'GET', path: '/openapi.json', body: undefined });
    const document = isRefused ? null : documentIn(text);
    if (document === null)
      throw new ToolRefusal(`${this.#base}/openapi.json is not the document of the API: is PERENNIAL_URL the address of the API?`);
    return catalogueOf(document);
  }

  /** Only reads and estimates are sent. A redirect is not followed: it would carry the key to another host. */
  async send({ method, path, body }: ApiRequest): Promise<Answer> {
    const headers = {
      accept: 'application/json',
      'wb-key': this.#key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = fetch(`${this.#base}${path}`, {
      ...{ method, headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const read = async (): Promise<Answer> => {
      const answer = await sent;
      return { isRefused: !answer.ok, text: await answer.text() };
    };
    return read().catch((cause: unknown) => {
      throw new ToolRefusal(`Nothing answers at ${this.#base}.`, { cause });
    });
  }
}

function documentIn(text: string): OpenApi | null {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null && 'paths' in document ? (document as OpenApi) : null;
  } catch {
    return null;
  }
}
