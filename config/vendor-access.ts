import { z } from 'zod';
import * as field from './fields.ts';
import { loadLaunchConfig } from './launch.ts';
import { readDevFile } from './local.ts';
import { ConfigError, type Environment, readVariables } from './parse.ts';

/** Where a vendor's command finds the API, and the key it calls it with. */
export interface VendorAccess {
  url: string;
  key: string;
}

const variables = z.object({ PERENNIAL_URL: field.webAddress.optional(), PERENNIAL_API_KEY: z.string().optional() });

/**
 * Address and key from the environment; where it has neither, those of the server that `npm start` runs from the home
 * folder. Never one from here and one from there: no other server may see a key.
 */
export function loadVendorAccess(env: Environment = process.env): VendorAccess {
  const { PERENNIAL_URL: url, PERENNIAL_API_KEY: key } = readVariables(variables, env);
  if (url !== undefined && key !== undefined) return { url, key };
  const dev = url === undefined && key === undefined ? readDevFile(env) : null;
  if (dev !== null) return { url: dev.base_url, key: dev.api_key };
  throw new ConfigError([
    ...(url === undefined ? ['PERENNIAL_URL: give the address of the API, like https://billing.example.com'] : []),
    ...(key === undefined ? ['PERENNIAL_API_KEY: give a key of the API, as vendor create or key create printed it'] : []),
    ...(url === key ? [`or run npm start, or set PERENNIAL_HOME to where it runs: ${loadLaunchConfig(env).home} holds no servers`] : []),
  ]);
}
