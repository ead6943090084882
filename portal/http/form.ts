import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';

const MOST_BYTES = 16 * 1024;
const TYPE = 'application/x-www-form-urlencoded';
const NUL = '\0';

/** The fields of a sent form. */
export interface Form {
  /** the first value of a field without spaces at its ends, '' when there is none */
  text(name: string): string;
  has(name: string): boolean;
  /** all fields with their values, as they were sent */
  entries(): [name: string, value: string][];
}

/** Makes a form of fields, as `readForm` does of a request. */
const formOf = (fields: URLSearchParams): Form => ({
  text: (name) => (fields.get(name) ?? '').trim(),
  has: (name) => fields.has(name),
  entries: () => [...fields],
});

/** Reads the form of a request; a status where it is none, too long or broken off. */
export async function readForm(ctx: Pick<Koa.Context, 'req' | 'is'>, mostBytes = MOST_BYTES): Promise<Form | 400 | 413 | 415> {
  const length = Number(ctx.req.headers['content-length'] ?? 0);
  if (length > mostBytes) return 413;
  const text = await readText(ctx.req, mostBytes).catch(() => undefined);
  if (text === undefined) return 400;
  if (text === null) return 413;
  if (text !== '' && ctx.is(TYPE) === false) return 415;
  const fields = new URLSearchParams(text);
  // no text of ours has it, and Postgres can't store it
  return [...fields.values()].some((value) => value.includes(NUL)) ? 400 : formOf(fields);
}

/** Null when it is longer than a form may be. */
async function readText(request: IncomingMessage, mostBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
