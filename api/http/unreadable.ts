import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { invalidField } from './problem.ts';
import { problemResponse } from './response.ts';

const NO_PATH = '/';

/**
 * Answers what can't be read as a request, or has headers that are too long, as any other wrong request. Node itself
 * would answer with a status alone.
 */
export function answerUnreadable(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => latest.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const before = latest.get(socket);
    // nothing may stand in the place of the response to a whole request before, nor in the middle of it
    const isFree = before === undefined || before.writableFinished || !(before.headersSent || before.req.complete);
    if (socket.writable && isFree) socket.end(responseTo(error.code), () => socket.destroy());
    else socket.destroy();
  });
}

function responseTo(code: string | undefined): string {
  const requestId = randomUUID();
  const plain = { 'request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', connection: 'close' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return written(408, { ...plain, 'content-length': '0' }, '');
  const problem =
    code === 'HPE_HEADER_OVERFLOW'
      ? invalidField('headers', `must have at most ${maxHeaderSize / 1024} KiB together, with the address of the request`)
      : invalidField('request', 'must be an HTTP/1.1 request');
  const { status, headers, body } = problemResponse(problem, NO_PATH, requestId);
  const text = body ?? '';
  return written(status, { ...plain, ...headers, 'content-length': String(Buffer.byteLength(text)) }, text);
}

const written = (status: number, headers: Readonly<Record<string, string>>, body: string): string =>
  [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body].join(
    '\r\n',
  );
