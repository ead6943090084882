import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { findTemporal } from '../../local-stack/temporal-program.ts';

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
  release: 'http://127.0.0.1:9/nobody',
  sources: SOURCES,
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

const sha256 = (text: string | Buffer) => createHash('sha256').update(text);

/** The hash of a module's files as go.sum has it. */
function sumOf(files: readonly (readonly [string, string])[]): string {
  const list = files.map(([name, text]) => `${sha256(text).digest('hex')}  ${name}\n`).sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
  return `h1:${sha256(list.join('')).digest('base64')}`;
}

const SOURCE_FILES = [
  ['example.org/server@v1.0.0/cmd/temporal/main.go', 'package main\n'],
  ['example.org/server@v1.0.0/go.mod', 'module example.org/server\n'],
] as const;
const SOURCES = { module: 'example.org/server', version: 'v1.0.0', package: './cmd/temporal', sum: sumOf(SOURCE_FILES) };

/**
 * A Go that has the sources' zip and makes the program of any folder that has a go.mod; it tells `heard` what it was
 * asked.
 */
function goScript(zip: string, heard: string, more = ':'): string {
  return [
    '#!/bin/sh',
    `[ "$1" = version ] && exit 0`,
    `echo "$@" | sed 's/-o [^ ]*/-o PROGRAM/' >> ${heard}`,
    `[ "$1" = mod ] && printf '{"Zip": "${zip}"}' && exit 0`,
    `${more} && sleep 0.5 && [ -f go.mod ] && printf '${PROGRAM.replaceAll('\n', '\\n')}' > "$4" && chmod 755 "$4"`,
    '',
  ].join('\n');
}

describe('the Temporal program', () => {
  it('is taken from PATH before the cache', async () => {
    program(join(folder, 'path', 'temporal'), PROGRAM);
    program(join(folder, 'cache', 'bin', 'temporal'), PROGRAM);
    expect(await findTemporal(search({ programFolders: [join(folder, 'path')] }))).toBe(join(folder, 'path', 'temporal'));
    expect(await findTemporal(search())).toBe(join(folder, 'cache', 'bin', 'temporal'));
  });

  async function archive(): Promise<{ release: string; archiveSum: string; asked: string[] }> {
    program(join(folder, 'made', 'temporal'), PROGRAM);
    execFileSync('tar', ['-czf', join(folder, 'archive.tar.gz'), '-C', join(folder, 'made'), 'temporal']);
    const bytes = readFileSync(join(folder, 'archive.tar.gz'));
    const asked: string[] = [];
    server = createServer((request, answer) => {
      asked.push(request.url ?? '');
      answer.end(bytes);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const release = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v`;
    return { release, archiveSum: sha256(bytes).digest('hex'), asked };
  }

  it('is downloaded when there is none, and kept', async () => {
    const { asked, ...from } = await archive();
    expect(await findTemporal(search(from))).toBe(join(folder, 'cache', 'bin', 'temporal'));
    expect(await findTemporal(search(from))).toBe(join(folder, 'cache', 'bin', 'temporal'));
    const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
    expect(asked).toEqual([`/v/temporal_cli_1.5.1_${platform}.tar.gz`]);
  });

  it('is not taken from a download that is not what was published', async () => {
    const { release, asked, archiveSum } = await archive();
    const said = await findTemporal(search({ release })).catch(String);
    expect(said).toMatch(
      new RegExp(`Downloading the Temporal server: what came is not what was published \\(${archiveSum} for [0-9a-f]{64}\\)`),
    );
    expect(asked).toHaveLength(1);
    expect(readdirSync(join(folder, 'cache', 'bin'))).toEqual([]);
    expect(readdirSync(join(folder, 'cache'))).toEqual(['bin']);
  });

  it('is built with Go when it cannot be downloaded, once for two copies that start together', async () => {
    const heard = join(folder, 'heard');
    writeFileSync(join(folder, 'sources.zip'), zipOf(SOURCE_FILES));
    program(join(folder, 'go', 'go'), goScript(join(folder, 'sources.zip'), heard));
    const both = await Promise.all([search(), search()].map((one) => findTemporal({ ...one, goBinFolders: [join(folder, 'go')] })));
    expect(both).toEqual([join(folder, 'cache', 'bin', 'temporal'), join(folder, 'cache', 'bin', 'temporal')]);
    expect(readFileSync(heard, 'utf8')).toBe(
      'mod download -json example.org/server@v1.0.0\nbuild -ldflags=-s -w -o PROGRAM ./cmd/temporal\n',
    );
    expect(readdirSync(join(folder, 'cache'))).toEqual(['bin']);
  });

  it('is not built from sources that are not what was published', async () => {
    const heard = join(folder, 'heard');
    writeFileSync(
      join(folder, 'sources.zip'),
      zipOf([...SOURCE_FILES, ['example.org/server@v1.0.0/cmd/temporal/more.go', 'package main\n']]),
    );
    program(join(folder, 'go', 'go'), goScript(join(folder, 'sources.zip'), heard));
    await expect(findTemporal(search({ goBinFolders: [join(folder, 'go')] }))).rejects.toThrow(
      /Building the Temporal server with Go \(2 to 7 minutes, once\): what came is not what was published \(h1:/,
    );
    expect(readFileSync(heard, 'utf8')).toBe('mod download -json example.org/server@v1.0.0\n');
  });

  describe('on a machine without Go', () => {
    const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const path = `golang.org/toolchain/@v/v0.0.1-go1.26.8.${platform}.zip`;
    const root = `golang.org/toolchain@v0.0.1-go1.26.8.${platform}`;
    const go = (zip: string, heard: string) =>
      goScript(zip, heard, `[ -f "\${0%/bin/go}/src/go.mod" ] && mkdir "$GOPATH" "$GOCACHE" && "\${0%bin/go}pkg/tool/asm"`);
    const filesOf = () =>
      [
        ['bin/go', go(join(folder, 'sources.zip'), join(folder, 'heard'))],
        ['pkg/tool/asm', '#!/bin/sh\n'],
        ['src/_go.mod', 'module std\n'],
        ['src/cmd/_go.mod', 'module cmd\n'],
      ].map(([name, text]) => [`${root}/${name}`, text ?? ''] as const);

    beforeEach(() => writeFileSync(join(folder, 'sources.zip'), zipOf(SOURCE_FILES)));

    async function proxy(): Promise<{ asked: string[]; shown: (string | undefined)[]; address: string }> {
      const asked: string[] = [];
      const shown: (string | undefined)[] = [];
      server = createServer((request, answer) => {
        asked.push(request.url ?? '');
        shown.push(request.headers.authorization);
        answer.end(zipOf(filesOf()));
      });
      await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
      return { asked, shown, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/go` };
    }

    it('is built with one that the next module proxy has, which is not kept', async () => {
      const { asked, address } = await proxy();
      const found = await findTemporal(search({ goProxies: ['http://127.0.0.1:9', address], goSum: sumOf(filesOf()) }));
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
      await findTemporal(search({ goProxies: [withSecret(address)], goSum: sumOf(filesOf()) }));
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
