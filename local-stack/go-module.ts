import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

/** Ten times the largest file of what is unpacked here. */
const LARGEST = 512 * 1024 * 1024;

/** The module a zip must be. */
interface Expected {
  /** with its version: `example.org/tool@v1.2.3` */
  name: string;
  /** its hash as in go.sum files */
  sum: string;
}

/**
 * Writes the files of a module's zip.
 *
 * @param into a folder of its own, which is left half filled when this throws
 * @throws Error when it isn't what was published
 */
export async function unpackModule(zip: Buffer, { name: module, sum: expected }: Expected, into: string): Promise<void> {
  const prefix = `${module}/`;
  const hashes = new Map<string, string>();
  for (const { name, bytes } of filesOf(zip)) {
    if (!name.startsWith(prefix) || name.split('/').includes('..')) throw new Error(`the zip holds ${name}`);
    const content = await bytes();
    hashes.set(name, createHash('sha256').update(content).digest('hex'));
    const path = join(into, name.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  const sum = sumOf(hashes);
  if (sum !== expected) throw new Error(`what came is not what was published (${sum} for ${expected})`);
}

/** "h1:", the hash of the sorted list of all files with theirs, as go.sum has it. */
function sumOf(hashes: ReadonlyMap<string, string>): string {
  const list = [...hashes.keys()].sort().map((name) => `${hashes.get(name)}  ${name}\n`);
  return `h1:${createHash('sha256').update(list.join('')).digest('base64')}`;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DEFLATED = 8;

/**
 * The files of a zip, by its directory at the end. A module's zip is below 500 MB, so that it needs no 64-bit sizes.
 */
function* filesOf(zip: Buffer): Generator<{ name: string; bytes: () => Promise<Buffer> }> {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw new Error('what came is no zip');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('the zip is damaged');
    const [method, size, local] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const [named, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)];
    const name = zip.toString('utf8', at + 46, at + 46 + named);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const stored = zip.subarray(start, start + size);
    yield { name, bytes: async () => (method === DEFLATED ? inflate(stored, { maxOutputLength: LARGEST }) : stored) };
    at += 46 + named + extra + comment;
  }
}
