import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
} from 'openid-client';
import type { SignInConfig } from '../../config/sign-in.ts';
import type { ProvedPerson } from '../../services/console/person.ts';
import { CONSOLE_PREFIX } from '../http/parts.ts';
import { proofsOf, type Round } from './round.ts';

/** Why nobody was signed in: the provider can't be reached, said no, or its answer isn't to be believed. */
export type ProviderRefusal = 'provider_down' | 'provider_denied' | 'provider_answer';

const SECONDS = 1_000;
const TIMEOUT_SECONDS = 5;
/** Metadata and keys change rarely; openid-client asks for new keys by itself when a token names one. */
const KEPT_MS = 3_600 * SECONDS;
/** A provider that doesn't answer isn't asked for every visitor. */
const FAILED_MS = 5 * SECONDS;
const LONGEST_NAME = 200;
const MOST_GROUPS = 1_000;

/** The vendors' sign-in service. Its metadata are read when somebody first signs in, and again after an hour. */
export class SignInProvider {
  readonly config: SignInConfig;
  readonly #returnTo: string;
  readonly #warn: (error: unknown) => void;
  #metadata: { found: Promise<Configuration>; until: number } | null = null;

  /**
   * @param baseUrl where browsers reach the console; the provider sends them back there
   * @param warn gets the reason where a sign-in fails
   */
  constructor(config: SignInConfig, baseUrl: string, warn: (error: unknown) => void) {
    this.config = config;
    this.#returnTo = `${baseUrl}${CONSOLE_PREFIX}/sign_in/done`;
    this.#warn = warn;
  }

  /** The provider's page that a round begins on. */
  addressOf = (round: Round): Promise<string | ProviderRefusal> =>
    this.#guarded(async () => {
      const { state, nonce, verifier } = proofsOf(round);
      return buildAuthorizationUrl(await this.#found(), {
        redirect_uri: this.#returnTo,
        scope: this.config.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href;
    });

  /** The person who came back from the provider, by the query that the provider sent along. */
  personOf = (round: Round, query: string): Promise<ProvedPerson | ProviderRefusal> =>
    this.#guarded(async () => {
      const { state, nonce, verifier } = proofsOf(round);
      const provider = await this.#found();
      const tokens = await authorizationCodeGrant(provider, new URL(`${this.#returnTo}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) return 'provider_answer';
      return this.#described(claims, await this.#furtherClaims(provider, claims, tokens.access_token));
    });

  /** Many providers put little into the ID token and tell the rest where they are asked. */
  async #furtherClaims(provider: Configuration, claims: IDToken, token: string): Promise<Readonly<Record<string, unknown>>> {
    const isComplete = [this.config.groupsClaim, 'name', 'email'].every((claim) => claim in claims);
    if (isComplete || provider.serverMetadata().userinfo_endpoint === undefined) return {};
    return fetchUserInfo(provider, token, claims.sub);
  }

  #described(claims: IDToken, further: Readonly<Record<string, unknown>>): ProvedPerson {
    const all: Readonly<Record<string, unknown>> = { ...further, ...claims };
    const email = textOf(all.email);
    const name = textOf(all.name) ?? textOf(all.preferred_username) ?? email ?? claims.sub;
    return {
      issuer: claims.iss,
      subject: claims.sub,
      name: name.slice(0, LONGEST_NAME),
      email,
      groups: namesOf(all[this.config.groupsClaim]),
    };
  }

  #found(): Promise<Configuration> {
    const now = Date.now();
    if (this.#metadata !== null && now < this.#metadata.until) return this.#metadata.found;
    const asked = { found: discovered(this.config), until: now + KEPT_MS };
    asked.found.catch(() => {
      asked.until = Date.now() + FAILED_MS;
    });
    this.#metadata = asked;
    return asked.found;
  }

  async #guarded<Found>(ask: () => Promise<Found>): Promise<Found | ProviderRefusal> {
    try {
      return await ask();
    } catch (error) {
      this.#warn(error);
      return refusalOf(error);
    }
  }
}

function discovered({ issuer, clientId, clientSecret }: SignInConfig): Promise<Configuration> {
  const address = new URL(issuer);
  // the configuration allows http on loopback alone
  const execute = [enableNonRepudiationChecks, ...(address.protocol === 'http:' ? [allowInsecureRequests] : [])];
  return discovery(address, clientId, undefined, clientAuth(clientSecret), { timeout: TIMEOUT_SECONDS, execute });
}

/** The secret goes into the body of the request where the provider takes it there, else into its head. */
const clientAuth =
  (secret: string): ClientAuth =>
  (server, ...request) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true;
    return (takesPost ? ClientSecretPost(secret) : ClientSecretBasic(secret))(server, ...request);
  };

const NOT_REACHED: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']);

function refusalOf(error: unknown): ProviderRefusal {
  if (error instanceof AuthorizationResponseError) return 'provider_denied';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const isUnreached = NOT_REACHED.has(code) || (error instanceof TypeError && cause instanceof Error);
  return isUnreached ? 'provider_down' : 'provider_answer';
}

const textOf = (claim: unknown): string | null => (typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null);

/** Groups are a list of names, or one name. */
const namesOf = (claim: unknown): string[] =>
  [claim]
    .flat()
    .slice(0, MOST_GROUPS)
    .filter((name) => typeof name === 'string');
