import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig } from './config.ts';
import { loadLaunchConfig } from './launch.ts';
import { ConfigError, type Environment } from './parse.ts';

type DevFile = {
  base_url: string;
  api_key: string;
  temporal_ui: string | null;
  temporal_address: string;
  database_url: string;
  portal_url: string;
};

/** The addresses that `npm start` wrote into its home folder; null when it never ran there. */
export function readDevFile(env: Environment = process.env): DevFile | null {
  const text = readIfThere(join(loadLaunchConfig(env).home, 'dev.json'));
  return text === null ? null : (JSON.parse(text) as DevFile);
}

/**
 * The configuration of the command line: the environment, and where it names no database,
 * the servers that `npm start` runs from the home folder.
 */
export function loadLocalConfig(env: Environment = process.env): Config {
  const dev = env.DATABASE_URL ? null : readDevFile(env);
  const { home } = loadLaunchConfig(env);
  if (dev === null) return env.DATABASE_URL ? loadConfig(env) : failWithoutServers(env, home);
  const secret = readIfThere(join(home, 'secret'))?.trim();
  return loadConfig({
    PERENNIAL_MODE: 'embedded',
    DATABASE_URL: dev.database_url,
    TEMPORAL_ADDRESS: dev.temporal_address,
    TEMPORAL_UI: dev.temporal_ui ?? '',
    BASE_URL: dev.base_url,
    PERENNIAL_SECRET: secret,
    ...withoutEmpty(env),
  });
}

/** Nothing names a database: the message says how to name the home in which `npm start` runs. */
function failWithoutServers(env: Environment, home: string): Config {
  try {
    return loadConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError([...error.problems, `or run npm start, or set PERENNIAL_HOME to where it runs: ${home} holds no servers`]);
  }
}

function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
