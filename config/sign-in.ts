import { z } from 'zod';
import type { Environment } from './parse.ts';
import { ConfigError, readVariables } from './parse.ts';

/** What the groups of a vendor's people may do in its console. */
export type GroupAccess = { vendorId: string; read: readonly string[]; full: readonly string[] };

/** The service that the vendors' people sign in with, by OpenID Connect. */
export type SignInConfig = {
  /** As its metadata name it, to the letter. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** The claim with the names of a person's groups. */
  groupsClaim: string;
  access: readonly GroupAccess[];
};

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Over http somebody between could change the answers of the service, and sign in as anybody. */
const isSafe = ({ protocol, hostname }: URL): boolean => protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));

const ISSUER = 'must be the address of your sign-in service with https, like https://login.example.com/realms/main';
const issuer = z.string().refine((text) => URL.canParse(text) && isSafe(new URL(text)), ISSUER);

const ACCESS = 'must be JSON like {"Wbc_…":{"read":["support"],"full":["billing-admins"]}}';
const groups = z.array(z.string().min(1)).default([]);
const accessOfVendors = z.record(z.string().regex(/^Wbc_/), z.strictObject({ read: groups, full: groups }));

/** `{"Wbc_1":{"full":["billing"]}}` → the groups of each vendor */
const access = z.string().transform((text, context): GroupAccess[] => {
  const given = accessOfVendors.safeParse(jsonOf(text));
  if (given.success) return Object.entries(given.data).map(([vendorId, of]) => ({ vendorId, ...of }));
  context.addIssue({ code: 'custom', message: ACCESS });
  return z.NEVER;
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const NEEDED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ACCESS'] as const;

const variables = z.object({
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_SCOPES: z
    .string()
    .regex(/^openid( \S+)*$/, 'must begin with openid, like openid profile email')
    .default('openid profile email'),
  OIDC_GROUPS_CLAIM: z.string().default('groups'),
  OIDC_ACCESS: access.optional(),
});

/** Null: people sign in with API keys alone. */
export function readSignIn(env: Environment): SignInConfig | null {
  const given = readVariables(variables, env);
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ACCESS } = given;
  if (OIDC_ISSUER !== undefined && OIDC_CLIENT_ID !== undefined && OIDC_CLIENT_SECRET !== undefined && OIDC_ACCESS !== undefined)
    return {
      issuer: OIDC_ISSUER,
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      scopes: given.OIDC_SCOPES,
      groupsClaim: given.OIDC_GROUPS_CLAIM,
      access: OIDC_ACCESS,
    };
  const missing = NEEDED.filter((name) => given[name] === undefined);
  if (missing.length < NEEDED.length) throw new ConfigError(missing.map((name) => `${name}: is needed too, since others of OIDC_ are set`));
  return null;
}
