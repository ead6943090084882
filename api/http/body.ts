import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseJson } from './json.ts';
import { Problem } from './problem.ts';

const KIB = 1024;

/** Bytes that are read of a body, by its sender. */
export const BODY_LIMITS = { withKey: 1024 * KIB, withoutKey: 16 * KIB, notice: 256 * KIB } as const;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * The caller went away before the request was complete: nobody waits for a response, and nothing of ours has failed.
 */
export class CallerGone extends Error {
  constructor(cause?: unknown) {
    super('The caller broke the request off.', { cause });
    this.name = 'CallerGone';
  }
}

/**
 * The raw bytes of a body. By its events: iterating over a request costs several times as much.
 *
 * @throws Problem `body_too_large`; CallerGone
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  // a caller who went away earlier sends no more events
  if (request.destroyed) return Promise.reject(new CallerGone());
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts: Buffer[] = [];
  let [size, isWhole] = [0, false];
  request.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= limit) parts.push(part);
    else {
      request.pause();
      reject(tooLarge(limit));
    }
  });
  request.once('end', () => {
    isWhole = true;
    resolve(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
  });
  request.once('error', (cause) => reject(new CallerGone(cause)));
  // every request closes in the end, and an error that nobody sees costs a stack trace
  request.once('close', () => {
    if (!isWhole) reject(new CallerGone());
  });
  return promise;
}

const CLOSE = { connection: 'close' };

/** The rest of the body is not read, so the connection can't be used again. */
function tooLarge(limit: number): Problem {
  const most = limit < KIB * KIB ? `${limit / KIB} KiB` : `${limit / KIB / KIB} MiB`;
  const who = limit === BODY_LIMITS.withoutKey ? ' without a key' : '';
  return new Problem('body_too_large', `A body may have at most ${most}${who}.`, { headers: CLOSE });
}

/**
 * Whether a long body, or one of unknown length, was sent and not read: the next request of the connection would have
 * to wait until all of it is read.
 */
export const isLeftUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > BODY_LIMITS.withoutKey);

const COMPRESSED = 'must be left out: a body is read as it is sent, not compressed';

/** The value of a JSON body, `undefined` when there is none. */
export function parseBody(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  if (bytes.length === 0) return undefined;
  const { 'content-type': contentType, 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity') {
    const feedback = { 'content-encoding': { type: 'error', value: COMPRESSED } } as const;
    throw new Problem('unsupported_media_type', `The header content-encoding ${COMPRESSED}.`, { feedback });
  }
  if (contentType === undefined || !JSON_TYPE.test(contentType)) {
    throw new Problem('unsupported_media_type', 'The body must be application/json in UTF-8.');
  }
  if (!isUtf8(bytes)) throw new Problem('invalid_json', 'The body is not valid UTF-8.');
  const text = bytes.toString();
  return parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}
