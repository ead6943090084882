import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LinePage, pagesOf } from '../../../cli/import/pages.ts';
import { eventually } from '../../support/eventually.ts';
import { type Started, startProgram } from '../../support/program.ts';

let home: string;
const servers: Server[] = [];
const started: Started[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'perennial-pages-'));
});
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.kill('SIGKILL');
    await one.ended;
  }
  for (const one of servers.splice(0)) await new Promise((closed) => one.close(closed));
  rmSync(home, { recursive: true, force: true });
});

/** A server with the given answer. @returns its address, and the requests that it got */
async function server(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const one = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().once('end', () => answer(response, request));
  });
  servers.push(one);
  await new Promise<void>((listening) => one.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(one.address() as AddressInfo).port}`, asked };
}

const problem = (status: number, code: string, detail: string) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify({ status, code, detail }));

function write(text: string): string {
  const file = join(home, 'book.ndjson');
  writeFileSync(file, text);
  return file;
}

function importing(url: string, file = write('{"type":"customer","ref":"a","name":"Ada"}\n')): Started {
  const one = startProgram(['cli', 'import', file], { env: { PERENNIAL_URL: url, PERENNIAL_API_KEY: 'api_key_a' } });
  started.push(one);
  return one;
}

describe('import', () => {
  it('follows no redirect: the key and the customers would go to another host', async () => {
    const other = await server((response) => response.end('"Imp_1"'));
    const first = await server((response) => response.writeHead(307, { location: `${other.url}/v1/c/import` }).end());
    const { code, stderr } = await importing(first.url).ended;
    expect([code, other.asked]).toEqual([1, []]);
    expect(stderr).toBe('POST /v1/c/import answered 307, but not as the API does. Is PERENNIAL_URL the address of the API?\n');
  });

  it('says so where a page answers in place of the API', async () => {
    const { url } = await server((response) => response.end('<html>'));
    const { code, stderr } = await importing(url).ended;
    expect([code, stderr]).toEqual([1, 'The answer is not JSON. Is PERENNIAL_URL the address of the API?\n']);
  });

  it('asks below the path of PERENNIAL_URL', async () => {
    const { url, asked } = await server(problem(401, 'unauthorized', 'Send a valid API key.'));
    const { code, stderr } = await importing(`${url}/billing`).ended;
    expect([code, stderr, asked]).toEqual([
      1,
      'POST /v1/c/import answered 401 unauthorized: Send a valid API key.\n',
      ['POST /billing/v1/c/import'],
    ]);
  });

  it('says at once what it waits for', async () => {
    const { url } = await server(problem(503, 'unavailable', 'Postgres is away.'));
    const busy = importing(url);
    const waits = 'Trying again until it answers.\n';
    await eventually(() => expect(busy.said().stderr).toBe(`POST /v1/c/import answered 503 unavailable: Postgres is away. ${waits}`));
    const nobody = importing('http://127.0.0.1:9');
    await eventually(() =>
      expect(nobody.said().stderr).toMatch(/^nothing answers at http:\/\/127\.0\.0\.1:9.* Trying again until it answers\.\n$/),
    );
  });

  it('names what is no file', async () => {
    expect(await importing('http://127.0.0.1:9', home).ended).toEqual({ code: 1, stdout: '', stderr: `there is no file ${home}\n` });
  });
});

describe('the pages of a file', () => {
  const all = async (text: string): Promise<LinePage[]> => {
    const pages: LinePage[] = [];
    for await (const page of pagesOf(write(text))) pages.push(page);
    return pages;
  };

  it('hold the lines as they stand, also with what ends a line elsewhere', async () => {
    const line = '{"name":"Ada\u2028Lovelace\u2029"}';
    expect(await all(`\uFEFF${line}\r\n\n${line}\r\n{"amount":12.50}`)).toEqual([
      [
        { number: 1, text: `${line}\r` },
        { number: 3, text: `${line}\r` },
        { number: 4, text: '{"amount":12.50}' },
      ],
    ]);
  });

  it('are no larger than a request may be, whatever the letters', async () => {
    const [short, long] = [`{"name":"${'a'.repeat(400_000)}"}`, `{"name":"${'界'.repeat(200_000)}"}`];
    expect((await all(`${short}\n${long}\n`)).map((page) => page.map(({ number }) => number))).toEqual([[1], [2]]);
  });
});
