import { Resolver } from 'node:dns/promises';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { ForbiddenAddress, hostOf, namesForbiddenAddress, publicLookup } from './address.ts';

/** What came of one request. */
export interface Answered {
  /** null: there was no answer */
  statusCode: number | null;
  /** why there was none */
  error: string | null;
  /** the beginning of the answer */
  answer: string;
}

/** Sends deliveries; connections are kept for the next ones. */
export interface Transport {
  post(url: string, headers: Record<string, string>, body: string, stopped: AbortSignal): Promise<Answered>;
  close(): void;
}

const LONGEST_MS = 10_000;
const MOST_READ = 4_096;
const IDLE_CONNECTIONS = 32;
const KEPT_MS = 15_000;
/** of a lookup, milliseconds and tries: together less than a request may take */
const LOOKUP = { timeout: 2_000, tries: 2 };

/**
 * @param reachesPrivate whether private and loopback addresses are targets too: in the embedded mode alone
 * @param longestMs of a request as a whole
 */
export function openTransport({ reachesPrivate, longestMs = LONGEST_MS }: { reachesPrivate: boolean; longestMs?: number }): Transport {
  const kept = {
    keepAlive: true,
    maxFreeSockets: IDLE_CONNECTIONS,
    timeout: KEPT_MS,
    ...(reachesPrivate ? {} : { lookup: publicLookup(new Resolver(LOOKUP)) }),
  };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
  return {
    post: async (address, headers, body, stopped) => {
      const url = new URL(address);
      if (!reachesPrivate && namesForbiddenAddress(url)) return noAnswer(new ForbiddenAddress(hostOf(url)));
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(longestMs)]);
      const open = (): ClientRequest => {
        const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) }, signal };
        return url.protocol === 'https:'
          ? httpsRequest(url, { ...options, agent: agents.https })
          : httpRequest(url, { ...options, agent: agents.http });
      };
      const answered = await exchange(open, body);
      stopped.throwIfAborted();
      return answered;
    },
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** One request; once more on a new connection where the receiver had closed the kept one. */
async function exchange(open: () => ClientRequest, body: string): Promise<Answered> {
  for (let isFirst = true; ; isFirst = false) {
    const request = open();
    try {
      return await answerOf(request, body);
    } catch (error) {
      const wasClosed = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!(isFirst && wasClosed)) return noAnswer(error);
    }
  }
}

function answerOf(request: ClientRequest, body: string): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  let hasAnswer = false;
  const answer = (statusCode: number | null, text: Promise<string> | string) => {
    hasAnswer = true;
    resolve(Promise.resolve(text).then((read) => ({ statusCode, error: null, answer: read })));
  };
  request.on('response', (response) => answer(response.statusCode ?? null, readBeginning(response)));
  // Node closes the connection without an error where nobody listens for it
  request.on('upgrade', (response, socket) => {
    socket.destroy();
    answer(response.statusCode ?? null, '');
  });
  // once there is an answer, its status counts
  request.on('error', (error) => hasAnswer || reject(error));
  request.on('close', () => hasAnswer || reject(new Error(MEANINGS.ECONNRESET)));
  request.end(body);
  return promise;
}

/** The beginning of an answer; its status counts, even where the rest never comes. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MOST_READ) break;
    }
  } catch {
    // cut off by the receiver or the time limit
  }
  return Buffer.concat(chunks).subarray(0, MOST_READ).toString('utf8').replaceAll('\u0000', '');
}

/** What a failure is called; addresses and texts of this machine are left out. */
const MEANINGS = {
  ENOTFOUND: 'the host is unknown',
  ENODATA: 'the host has no address',
  EAI_AGAIN: 'the host could not be looked up',
  ESERVFAIL: 'the host could not be looked up',
  EREFUSED: 'the host could not be looked up',
  ETIMEOUT: 'the host could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without an answer',
  EPIPE: 'the connection was closed without an answer',
  ETIMEDOUT: 'the host could not be reached',
  EHOSTUNREACH: 'the host could not be reached',
  ENETUNREACH: 'the host could not be reached',
  EADDRNOTAVAIL: 'the host could not be reached',
  ABORT_ERR: 'no answer within the time limit',
  HPE_INVALID_CONSTANT: 'the answer is not HTTP',
  EPROTO: 'the host does not speak TLS',
} as const;

function noAnswer(error: unknown): Answered {
  const { code, message } = error as NodeJS.ErrnoException;
  const meaning = code !== undefined && code in MEANINGS ? MEANINGS[code as keyof typeof MEANINGS] : null;
  return { statusCode: null, error: (meaning ?? (message || code || 'the connection failed')).slice(0, 300), answer: '' };
}
