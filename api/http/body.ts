import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parseJson } from './json.ts';
import { Problem } from './problem.ts';

const BODY_LIMIT = 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const BYTE_ORDER_MARK = '\ufeff';

/** The raw bytes of a body of at most 1 MiB. By its events: iterating over a request costs several times as much. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return Promise.reject(tooLarge());
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  let size = 0;
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= BODY_LIMIT) parts.push(part);
    else {
      request.pause();
      reject(tooLarge());
    }
  });
  request.once('end', () => resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)));
  request.once('error', reject);
  return promise;
}

// the rest of the body is not read, so the connection can't be used again
const tooLarge = () => new Problem('body_too_large', 'A body may have at most 1 MiB.', { headers: { connection: 'close' } });

/** The value of a JSON body, `undefined` when there is none. */
export function parseBody(bytes: Buffer, contentType: string | undefined): unknown {
  if (bytes.length === 0) return undefined;
  if (contentType === undefined || !JSON_TYPE.test(contentType)) {
    throw new Problem('unsupported_media_type', 'The body must be application/json in UTF-8.');
  }
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not valid UTF-8.');
  const text = bytes.toString();
  return parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}
