import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal } from '../../embedded/temporal-program.ts';

const PROGRAM = '#!/bin/sh\necho "temporal version 1"\n';

let folder: string;
let server: Server | null;
const log: string[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perennial-program-'));
  server = null;
  log.length = 0;
});

afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const search = (over: object = {}) => ({
  cache: join(folder, 'cache'),
  programFolders: ['/usr/bin', '/bin'],
  goBinFolders: [],
  log: (line: string) => log.push(line),
  download: 'http://127.0.0.1:9/nobody',
  ...over,
});

function program(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

describe('the Temporal program', () => {
  it('is taken from PATH before the cache', async () => {
    program(join(folder, 'path', 'temporal'), PROGRAM);
    program(join(folder, 'cache', 'bin', 'temporal'), PROGRAM);
    expect(await findTemporal(search({ programFolders: [join(folder, 'path')] }))).toBe(join(folder, 'path', 'temporal'));
    expect(await findTemporal(search())).toBe(join(folder, 'cache', 'bin', 'temporal'));
  });

  it('is downloaded when there is none, and kept', async () => {
    program(join(folder, 'made', 'temporal'), PROGRAM);
    execFileSync('tar', ['-czf', join(folder, 'archive.tar.gz'), '-C', join(folder, 'made'), 'temporal']);
    let asked = 0;
    server = createServer((_, answer) => {
      asked += 1;
      answer.end(readFileSync(join(folder, 'archive.tar.gz')));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const download = `http://127.0.0.1:${(server.address() as AddressInfo).port}/archive`;
    expect(await findTemporal(search({ download }))).toBe(join(folder, 'cache', 'bin', 'temporal'));
    expect(await findTemporal(search({ download }))).toBe(join(folder, 'cache', 'bin', 'temporal'));
    expect(asked).toBe(1);
  });

  it('is built with Go when it cannot be downloaded, once for two copies that start together', async () => {
    const built = join(folder, 'builds');
    program(
      join(folder, 'go', 'go'),
      `#!/bin/sh\nif [ "$1" = version ]; then exit 0; fi\necho "$@" >> ${built}\nsleep 0.5\nprintf '${PROGRAM.replaceAll('\n', '\\n')}' > "$GOBIN/temporal"\nchmod 755 "$GOBIN/temporal"\n`,
    );
    const both = await Promise.all([search(), search()].map((one) => findTemporal({ ...one, goBinFolders: [join(folder, 'go')] })));
    expect(both).toEqual([join(folder, 'cache', 'bin', 'temporal'), join(folder, 'cache', 'bin', 'temporal')]);
    expect(readFileSync(built, 'utf8')).toBe('install github.com/temporalio/cli/cmd/temporal@v1.5.1\n');
    expect(existsSync(join(folder, 'cache', 'temporal.lock'))).toBe(false);
  });

  it('that cannot be had says what was tried and what to do', async () => {
    await expect(findTemporal(search())).rejects.toThrow(
      /No Temporal server could be had[\s\S]*Downloading[\s\S]*cannot be reached[\s\S]*Go is not installed[\s\S]*set TEMPORAL_ADDRESS/,
    );
  });
});
