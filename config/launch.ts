import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { z } from 'zod';
import * as field from './fields.ts';
import type { Environment } from './parse.ts';
import { readVariables } from './parse.ts';
import { readPayments } from './payments.ts';

/** The configuration that `npm start` needs before a database or a Temporal server runs. */
export type LaunchConfig = {
  /** Folder with the data, the chosen ports, the secret and `dev.json`. */
  home: string;
  /** Folder outside the tree in which the Temporal program is stored for all checkouts. */
  cache: string;
  host: string;
  port: number;
  baseUrl: string;
  /** Address of a running Temporal server; null: `npm start` starts one. */
  temporalAddress: string | null;
  temporalNamespace: string;
  temporalTaskQueue: string;
  /** From the environment; null: the one stored in the home. */
  secret: string | null;
  /** Folders in which programs are searched. */
  programFolders: readonly string[];
  goBinFolders: readonly string[];
  /** Go module proxies, asked one after the other. */
  goProxies: readonly string[];
};

export const DEFAULT_PORT = 3000;
export const DEFAULT_NAMESPACE = 'default';
export const DEFAULT_TASK_QUEUE = 'perennial';

/** What Go itself asks where GOPROXY is not set. A machine without Go has nobody else to ask for it. */
const GO_DEFAULT_PROXY = 'https://proxy.golang.org,direct';

const variables = z.object({
  PERENNIAL_HOME: z.string().default('.perennial'),
  PERENNIAL_CACHE: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: field.port.default(DEFAULT_PORT),
  BASE_URL: field.webAddress.optional(),
  TEMPORAL_ADDRESS: field.hostAndPort.optional(),
  TEMPORAL_NAMESPACE: z.string().default(DEFAULT_NAMESPACE),
  TEMPORAL_TASK_QUEUE: z.string().default(DEFAULT_TASK_QUEUE),
  PERENNIAL_SECRET: field.secret.optional(),
  PATH: z.string().default(''),
  GOPROXY: z.string().optional(),
});

export function loadLaunchConfig(env: Environment = process.env): LaunchConfig {
  const given = readVariables(variables, env);
  // a payment configuration that the API would refuse fails here, before any server starts
  readPayments(env);
  return {
    home: resolve(given.PERENNIAL_HOME),
    cache: resolve(given.PERENNIAL_CACHE ?? join(homedir(), '.cache', 'perennial')),
    host: given.HOST,
    port: given.PORT,
    baseUrl: given.BASE_URL ?? localAddress(given.HOST, given.PORT),
    temporalAddress: given.TEMPORAL_ADDRESS ?? null,
    temporalNamespace: given.TEMPORAL_NAMESPACE,
    temporalTaskQueue: given.TEMPORAL_TASK_QUEUE,
    secret: given.PERENNIAL_SECRET ?? null,
    programFolders: given.PATH.split(delimiter).filter((folder) => folder !== ''),
    goBinFolders: ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin'],
    goProxies: proxiesOf(given.GOPROXY || GO_DEFAULT_PROXY),
  };
}

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * Where this machine reaches a server that listens on a host.
 *
 * @example localAddress('::1', 3000) // 'http://[::1]:3000'
 */
export function localAddress(host: string, port: number): string {
  const reached = EVERYWHERE.has(host) ? '127.0.0.1' : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

/** The addresses of a list like Go's own; what comes after `off` isn't asked, and `direct` names no proxy. */
function proxiesOf(list: string): string[] {
  const entries = list.split(/[,|]/).map((entry) => entry.trim());
  const reached = entries.includes('off') ? entries.slice(0, entries.indexOf('off')) : entries;
  return reached.filter((entry) => /^https?:\/\//.test(entry) && URL.canParse(entry));
}

/**
 * What keeps the API and the worker small, as the Dockerfile has it too. The C library would give a heap to each of
 * their threads, and Node 64 MB instead of 8 to each half of its young objects. With a low limit for old objects it
 * also collects them sooner.
 */
export const SMALL = { MALLOC_ARENA_MAX: '1', NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=1024' };

/**
 * The API's own, as the commands of docker-compose.yml have it too. With 8 MB, what a request has made is copied to the
 * old objects while the request still runs.
 */
export const API_OPTION = '--max-semi-space-size=32';

/** The environment of an API or a worker; what NODE_OPTIONS already says still counts, and wins. */
export function serviceEnvironment(program: 'api' | 'worker', overrides: Readonly<Record<string, string>>): Record<string, string> {
  const own = program === 'api' ? [API_OPTION] : [];
  const options = [SMALL.NODE_OPTIONS, ...own, process.env.NODE_OPTIONS ?? ''].join(' ').trim();
  return childEnvironment({ ...SMALL, NODE_OPTIONS: options, ...overrides });
}

/** The environment of a child process: this one with the given overrides, always in UTC. */
export function childEnvironment(overrides: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return { ...Object.fromEntries(inherited), ...overrides, TZ: 'UTC' };
}
