import { connect, type Socket } from 'node:net';

export type Request = { method: 'GET' | 'POST' | 'PUT'; path: string; headers?: Record<string, string>; body?: string };
export type Measured = { perSecond: number; p50: number; p99: number; failures: number };
export type Answer = { status: number; head: string; body: Buffer };

const SEPARATOR = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * One keep-alive connection that sends a request, waits for the whole response and sends the next. It does little, so
 * the server is what is measured.
 */
class Line {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #settle: PromiseWithResolvers<Answer> | null = null;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (data) => this.#take(data));
    this.#socket.on('error', (error) => this.#settle?.reject(error));
    this.#socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')));
  }

  send(request: Buffer): Promise<Answer> {
    this.#settle = Promise.withResolvers<Answer>();
    this.#socket.write(request);
    return this.#settle.promise;
  }

  end(): void {
    this.#settle = null;
    this.#socket.destroy();
  }

  #take(data: Buffer): void {
    this.#received = this.#received.length === 0 ? data : Buffer.concat([this.#received, data]);
    const headEnd = this.#received.indexOf(SEPARATOR);
    if (headEnd < 0) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < headEnd + SEPARATOR.length + length) return;
    if (/transfer-encoding: chunked/i.test(head) && !this.#received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) return;
    const body = this.#received.subarray(headEnd + SEPARATOR.length);
    this.#received = Buffer.alloc(0);
    this.#settle?.resolve({ status: Number(head.slice(9, 12)), head, body });
  }
}

function written({ method, path, headers = {}, body = '' }: Request): Buffer {
  const all = {
    host: 'localhost',
    ...headers,
    ...(method !== 'GET' ? { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) } : {}),
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
}

/** Written once and sent again and again, so that the load takes little of the cores that are measured. */
const DIFFERENT = 200;

export type Load = { port: number; connections: number; seconds: number; next: (n: number) => Request };

/** Answers per second and latencies in milliseconds, with so many requests in flight all the time. */
export async function measure({ port, connections, seconds, next }: Load): Promise<Measured> {
  const lines = Array.from({ length: connections }, () => new Line(port));
  const requests = Array.from({ length: DIFFERENT }, (_, n) => written(next(n)));
  const latencies: number[] = [];
  let [sent, failures] = [0, 0];
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(
    lines.map(async (line) => {
      for (let now = performance.now(); now < until; ) {
        const { status } = await line.send(requests[sent++ % DIFFERENT] as Buffer);
        const done = performance.now();
        latencies.push(done - now);
        if (status >= 300) failures += 1;
        now = done;
      }
    }),
  );
  const elapsed = (performance.now() - began) / 1000;
  for (const line of lines) line.end();
  return measuredOf(latencies, elapsed, failures);
}

/** Sends each request once, `connections` at a time, and returns the responses in the order of the requests. */
export async function sendEach(port: number, connections: number, requests: readonly Request[]): Promise<Measured & { answers: Answer[] }> {
  const lines = Array.from({ length: connections }, () => new Line(port));
  const texts = requests.map(written);
  const [answers, latencies]: [Answer[], number[]] = [[], []];
  let sent = 0;
  const began = performance.now();
  await Promise.all(
    lines.map(async (line) => {
      for (let n = sent++; n < texts.length; n = sent++) {
        const asked = performance.now();
        answers[n] = await line.send(texts[n] as Buffer);
        latencies.push(performance.now() - asked);
      }
    }),
  );
  const elapsed = (performance.now() - began) / 1000;
  for (const line of lines) line.end();
  const failures = answers.filter(({ status }) => status >= 300).length;
  return { ...measuredOf(latencies, elapsed, failures), answers };
}

function measuredOf(latencies: number[], elapsed: number, failures: number): Measured {
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), failures };
}
