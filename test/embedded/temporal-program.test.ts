import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
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
  goProxies: ['http://127.0.0.1:9'],
  log: (line: string) => log.push(line),
  download: 'http://127.0.0.1:9/nobody',
  ...over,
});

function program(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** A zip as module proxies give it: no modes, no folders. */
function zipOf(files: readonly (readonly [string, string])[]): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, text] of files) {
    const packed = deflateRawSync(text);
    const both = Buffer.alloc(26);
    both.writeUInt16LE(8, 4);
    both.writeUInt32LE(crc32(text), 10);
    both.writeUInt32LE(packed.length, 14);
    both.writeUInt32LE(text.length, 18);
    both.writeUInt16LE(name.length, 22);
    const part = Buffer.concat([Buffer.from('PK\x03\x04'), both, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\0\0'), both, rest, Buffer.from(name)]));
    parts.push(part);
    offset += part.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
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

  describe('on a machine without Go', () => {
    const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const path = `golang.org/toolchain/@v/v0.0.1-go1.26.8.${platform}.zip`;
    const root = `golang.org/toolchain@v0.0.1-go1.26.8.${platform}`;
    const go = `#!/bin/sh\nif [ "$1" = version ]; then exit 0; fi\n[ -f "\${0%/bin/go}/src/go.mod" ] && mkdir "$GOPATH" "$GOCACHE" && "\${0%bin/go}pkg/tool/asm" && printf '${PROGRAM.replaceAll('\n', '\\n')}' > "$GOBIN/temporal"\nchmod 755 "$GOBIN/temporal"\n`;
    const files = { 'bin/go': go, 'pkg/tool/asm': '#!/bin/sh\n', 'src/_go.mod': 'module std\n', 'src/cmd/_go.mod': 'module cmd\n' };
    const hash = (text: string) => createHash('sha256').update(text);
    const sum = `h1:${hash(
      Object.entries(files)
        .map(([name, text]) => `${hash(text).digest('hex')}  ${root}/${name}\n`)
        .join(''),
    ).digest('base64')}`;

    async function proxy(): Promise<{ asked: string[]; shown: (string | undefined)[]; address: string }> {
      const asked: string[] = [];
      const shown: (string | undefined)[] = [];
      server = createServer((request, answer) => {
        asked.push(request.url ?? '');
        shown.push(request.headers.authorization);
        answer.end(zipOf(Object.entries(files).map(([name, text]) => [`${root}/${name}`, text])));
      });
      await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
      return { asked, shown, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/go` };
    }

    it('is built with one that the next module proxy has, which is not kept', async () => {
      const { asked, address } = await proxy();
      const found = await findTemporal(search({ goProxies: ['http://127.0.0.1:9', address], goSum: sum }));
      expect(found).toBe(join(folder, 'cache', 'bin', 'temporal'));
      expect(asked).toEqual([`/go/${path}`]);
      expect(readdirSync(join(folder, 'cache'))).toEqual(['bin']);
    });

    it('shows a module proxy the name and password of its address, and nobody else', async () => {
      const { asked, shown, address } = await proxy();
      const withSecret = (to: string) => to.replace('//', '//one:t%40p@');
      const said = await findTemporal(search({ goProxies: [withSecret('http://127.0.0.1:9')] })).catch(String);
      expect(said).toContain('127.0.0.1:9 cannot be reached');
      expect(said).not.toContain('t%40p');
      await findTemporal(search({ goProxies: [withSecret(address)], goSum: sum }));
      expect(asked).toEqual([`/go/${path}`]);
      expect(shown).toEqual([`Basic ${Buffer.from('one:t@p').toString('base64')}`]);
    });

    it('is not built with one that is not what was published', async () => {
      const { address } = await proxy();
      await expect(findTemporal(search({ goProxies: [address] }))).rejects.toThrow(/what came is not what was published \(h1:/);
      expect(readdirSync(join(folder, 'cache'))).toEqual(['bin']);
    });
  });

  it('that cannot be had says what was tried and what to do', async () => {
    await expect(findTemporal(search())).rejects.toThrow(
      /No Temporal server could be had[\s\S]*Downloading[\s\S]*cannot be reached[\s\S]*Go is not installed, and fetching it failed: 127\.0\.0\.1:9 cannot be reached[\s\S]*set TEMPORAL_ADDRESS/,
    );
  });
});
