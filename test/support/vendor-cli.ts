import { type Ended, runProgram, type Started, startProgram } from './program.ts';
import { servers } from './servers.ts';
import type { TestVendor } from './vendor.ts';

type Access = Pick<TestVendor, 'apiKey'> & { baseUrl?: string };

async function surroundings({ apiKey, baseUrl }: Access): Promise<{ env: Record<string, string> }> {
  return { env: { PERENNIAL_URL: baseUrl ?? (await servers()).baseUrl, PERENNIAL_API_KEY: apiKey } };
}

/** Runs a command as a vendor's developer does, who has an address and a key. */
export const vendorCli = async (access: Access, ...args: string[]): Promise<Ended> =>
  runProgram(['cli', ...args], await surroundings(access));

/** Starts one that runs until it is stopped. */
export const startVendorCli = async (access: Access, ...args: string[]): Promise<Started> =>
  startProgram(['cli', ...args], await surroundings(access));
