import { servers } from './servers.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read by tests that state what they expect of them
export type AnyJson = any;

export type TestResponse<Body = AnyJson> = { status: number; body: Body; headers: Headers };

export type Api = {
  get<Body = AnyJson>(path: string, headers?: Record<string, string>): Promise<TestResponse<Body>>;
  post<Body = AnyJson>(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse<Body>>;
  delete<Body = AnyJson>(path: string, headers?: Record<string, string>): Promise<TestResponse<Body>>;
  /** As `post`, for a step a story takes for granted: gives the body, and fails with the problem when refused. */
  made<Body = string>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Body>;
  /** As `get`, failing with the problem when refused. */
  read<Body = AnyJson>(path: string): Promise<Body>;
};

/** The API as a vendor calls it. Without a key, as a stranger does. */
export function api(key: string | null, baseUrl?: string): Api {
  const call = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> => {
    const base = baseUrl ?? (await servers()).baseUrl;
    const answer = await fetch(new URL(path, base), {
      method,
      redirect: 'manual',
      headers: {
        ...(key === null ? {} : { 'wb-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: bodyOf(await answer.text(), answer.headers.get('content-type')) };
  };
  const insist = async (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<AnyJson> => {
    const answer = await call(method, path, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    delete: (path, headers) => call('DELETE', path, undefined, headers),
    made: (path, body, headers) => insist('POST', path, body, headers),
    read: (path) => insist('GET', path),
  };
}

function bodyOf(text: string, type: string | null): unknown {
  if (text === '') return null;
  return type?.includes('json') ? JSON.parse(text) : text;
}
