import type { IncomingMessage } from 'node:http';
import { parseJson } from './json.ts';
import { Problem } from './problem.ts';

export const BODY_LIMIT = 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The raw bytes of a body of at most 1 MiB. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > BODY_LIMIT) throw tooLarge();
    parts.push(part);
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

// the rest of the body is not read, so the connection can't be used again
const tooLarge = () => new Problem('body_too_large', 'A body may have at most 1 MiB.', { headers: { connection: 'close' } });

/** The value of a JSON body, `undefined` when there is none. */
export function parseBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  if (contentType === undefined || !JSON_TYPE.test(contentType)) {
    throw new Problem('unsupported_media_type', 'The body must be application/json in UTF-8.');
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw new Problem('invalid_json', 'The body is not valid UTF-8.', { cause });
  }
  return parseJson(text);
}
