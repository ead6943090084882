import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import type { AddressInfo } from 'node:net';
import { publicLookup } from '../../../services/webhook/address.ts';

const SILENT = 'silent.test';
/** Addresses by name; a name with none is never answered. */
const ZONE: Record<string, string[]> = {
  'public.test': ['93.184.216.34', '93.184.216.35'],
  'private.test': ['10.0.0.1'],
  'mixed.test': ['93.184.216.34', '169.254.169.254'],
  [SILENT]: [],
};
const [A, NO_SUCH_NAME] = [1, 3];

/** The answer to a question of one name (RFC 1035, 4.1); of IPv6 nothing is known. */
function answerTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += length + 1;
  }
  const known = ZONE[labels.join('.').toLowerCase()];
  if (known?.length === 0) return null;
  const addresses = query.readUInt16BE(at + 1) === A ? (known ?? []) : [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (known === undefined ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]));
  return Buffer.concat([header, query.subarray(12, at + 5), ...records]);
}

let server: Socket;
/** One waits for as long as a busy machine may take, and one hardly at all: for the name that is never answered. */
let patient: Resolver;
let brief: Resolver;
beforeAll(async () => {
  server = createSocket('udp4', (query, { port, address }) => {
    const answer = answerTo(query);
    if (answer !== null) server.send(answer, port, address);
  });
  await new Promise<void>((bound) => server.bind(0, '127.0.0.1', bound));
  patient = new Resolver({ timeout: 60_000, tries: 1 });
  brief = new Resolver({ timeout: 200, tries: 1 });
  for (const one of [patient, brief]) one.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`]);
});
afterAll(() => new Promise<void>((closed) => server.close(closed)));

const lookUp = (name: string, options: { all?: boolean; family?: number }) =>
  new Promise((done) =>
    publicLookup(name === SILENT ? brief : patient)(name, options, (error, address) =>
      done(error === null ? address : (error.code ?? error.name)),
    ),
  );

describe('a host outside the embedded mode is looked up', () => {
  it.each([
    ['public.test', { all: true }, ['93.184.216.34', '93.184.216.35'].map((address) => ({ address, family: 4 }))],
    ['public.test', { all: false }, '93.184.216.34'],
    ['private.test', { all: true }, 'ForbiddenAddress'],
    ['private.test', { all: false }, 'ForbiddenAddress'],
    ['mixed.test', { all: true }, 'ForbiddenAddress'],
    ['public.test', { all: true, family: 6 }, 'ForbiddenAddress'],
    ['unknown.test', { all: true }, 'ENOTFOUND'],
    [SILENT, { all: true }, 'ETIMEOUT'],
  ])('%s, %j: %j', async (name, options, expected) => {
    expect(await lookUp(name, options)).toEqual(expected);
  });
});
