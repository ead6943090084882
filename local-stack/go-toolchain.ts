import { chmod, copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unpackModule } from './go-module.ts';

const VERSION = 'v0.0.1-go1.26.8';
/** From the public checksum database. */
const SUMS: Readonly<Record<string, string>> = {
  'linux-amd64': 'h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=',
  'linux-arm64': 'h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=',
  'darwin-amd64': 'h1:7/9KPPN8PckcA9s91hm2jmQMhzW4KyTJXHIs45L0C9M=',
  'darwin-arm64': 'h1:dFjGhY6f8DTsY8/rLchUTDRRfjJP4pCrGCwxvHFT2Fg=',
};
const PATIENCE = 600_000;

export interface GoSource {
  /** Module proxies, asked one after the other. */
  goProxies: readonly string[];
  /** The hash of the files; absent: the known one of our version. */
  goSum?: string;
}

/**
 * Fetches Go the way Go fetches newer versions of itself: as the zip of its toolchain module.
 *
 * @param into a folder of its own, which is left half filled when this throws
 * @returns the path of the program
 * @throws Error when there is none for this machine, no proxy has it, or it isn't what was published
 */
export async function fetchGo({ goProxies, goSum }: GoSource, into: string): Promise<string> {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const expected = goSum ?? SUMS[platform];
  if (expected === undefined) throw new Error(`none is known for ${platform}`);
  const version = `${VERSION}.${platform}`;
  const zip = await firstResponse(goProxies, `golang.org/toolchain/@v/${version}.zip`);
  await unpackModule(zip, { name: `golang.org/toolchain@${version}`, sum: expected }, into);
  await makeRunnable(into);
  return join(into, 'bin', 'go');
}

async function firstResponse(proxies: readonly string[], path: string): Promise<Buffer> {
  const failures: string[] = [];
  for (const proxy of proxies) {
    const { host, address, headers } = reached(proxy);
    try {
      const response = await fetch(`${address}/${path}`, { headers, signal: AbortSignal.timeout(PATIENCE) });
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      failures.push(`${host} answered ${response.status}`);
    } catch (error) {
      failures.push(`${host} cannot be reached (${error instanceof Error && error.cause instanceof Error ? error.cause.message : error})`);
    }
  }
  throw new Error(failures.join('; ') || 'set GOPROXY to a Go module proxy, or install Go');
}

/** `fetch` refuses an address with a name and a password, and shows them in the error it throws. */
function reached(proxy: string): { host: string; address: string; headers: Record<string, string> } {
  const url = new URL(proxy);
  const { host, username, password } = url;
  const secret = [username, password].map(decodeURIComponent).join(':');
  url.username = '';
  url.password = '';
  const headers: Record<string, string> = secret === ':' ? {} : { authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
  return { host, address: url.href.replace(/\/$/, ''), headers };
}

/** A module's zip has no file modes, and no go.mod but its own: Go restores both in the same way. */
async function makeRunnable(root: string): Promise<void> {
  for (const folder of ['src', 'src/cmd']) await copyFile(join(root, folder, '_go.mod'), join(root, folder, 'go.mod'));
  for (const folder of ['bin', 'pkg/tool']) {
    const found = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of found) if (entry.isFile()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}
