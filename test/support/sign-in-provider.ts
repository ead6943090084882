import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const CLIENT = { id: 'perennial', secret: 'the-secret-of-the-console' } as const;

/** What a provider says of somebody, by their login. */
type People = Readonly<Record<string, { name: string; email: string; groups: readonly string[] }>>;

interface RunningProvider {
  readonly issuer: string;
  /** addresses that were asked for, in order */
  readonly asked: string[];
  stop(): Promise<void>;
}

async function listening(handlerOf: (issuer: string) => RequestListener): Promise<RunningProvider> {
  const asked: string[] = [];
  let handler: RequestListener = () => undefined;
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    handler(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  handler = handlerOf(issuer);
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { issuer, asked, stop };
}

/** A provider of OpenID Connect in this process, with a page to log in on. It reads `people` at each sign-in. */
export const startProvider = (people: People, returnTo: string): Promise<RunningProvider> =>
  listening((issuer) => {
    const client = { client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [returnTo] };
    const provider = new Provider(issuer, {
      clients: [{ ...client, token_endpoint_auth_method: 'client_secret_post' }],
      claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email'] },
      findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...people[accountId] }) }),
      cookies: { keys: ['of-the-tests'] },
    });
    return provider.callback();
  });

/**
 * Logs in with the provider as a browser would, and agrees to whatever it asks.
 *
 * @returns where the provider sends the browser back to
 */
export async function logIn(address: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let [next, body]: [URL, URLSearchParams | null] = [new URL(address), null];
  const { origin } = next;
  for (let step = 0; step < 12; step += 1) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body === null ? {} : { method: 'POST', body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    if (location !== null) [next, body] = [new URL(location, next), null];
    else [next, body] = formOn(page, next, login);
    if (next.origin !== origin) return next;
  }
  throw new Error(`the provider never sends anybody back from ${next}`);
}

function formOn(page: string, at: URL, login: string): [URL, URLSearchParams] {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
  if (action === undefined) throw new Error(`no form at ${at}: ${page}`);
  const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1] ?? 'login';
  return [new URL(action, at), new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'x' } : { prompt })];
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider that gives the ID token that a test has made. It has no page to log in on. */
export async function startForger(): Promise<RunningProvider & { nextToken: (claims: object, signedByOther?: boolean) => void }> {
  const keys = [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('rsa', { modulusLength: 2048 })] as const;
  let token = '';
  const running = await listening((issuer) => (request, response) => {
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      },
      '/jwks': { keys: [{ ...keys[0].publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
      '/token': { access_token: 'x', token_type: 'Bearer', id_token: token },
    };
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url ?? ''] ?? {}));
  });
  const nextToken = (claims: object, signedByOther = false): void => {
    const text = `${base64url({ alg: 'RS256', kid: 'one' })}.${base64url(claims)}`;
    const { privateKey } = signedByOther ? keys[1] : keys[0];
    token = `${text}.${sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url')}`;
  };
  return { ...running, nextToken };
}
