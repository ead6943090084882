import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Perennial } from '../../client/src/index.ts';
import { oldestNode } from '../support/oldest-node.ts';
import { servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'mcp/dist/main.js');
const run = promisify(execFile);

let vendor: Perennial;
let baseUrl: string;
let contract: string;
let customer: string;
const client = new Client({ name: 'test', version: '1.0.0' });

/** A vendor with one contract, and the program as another program starts it, with a key that may only read. */
beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build', '--prefix', 'mcp'], { cwd: ROOT });
  ({ baseUrl } = await servers());
  vendor = new Perennial({ baseUrl, apiKey: (await newVendor()).apiKey });
  const seats = {
    amount: '10',
    strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1' },
  } as const;
  const plan = await vendor.savePlan({
    slug: 'pro',
    internal_name: 'Pro',
    strategy: 'feature',
    features: [{ slug: 'seats', name: 'Seats' }],
    pricings: [{ currency: 'usd', cycle: 'month', features: { seats } }],
  });
  const clock = await vendor.createTestClock({ now: '2026-01-01T00:00:00Z' });
  customer = await vendor.saveCustomer({ name: 'Ada', test_clock: clock });
  contract = await vendor.signContract({ customer, plan, currency: 'usd', cycle: 'month' });
  const { key } = await vendor.createApiKey({ name: 'reader', scope: 'read' });
  const env = { PERENNIAL_URL: baseUrl, PERENNIAL_API_KEY: key };
  await client.connect(new StdioClientTransport({ command: await oldestNode(), args: [MAIN], env }));
});
afterAll(() => client.close());

/** The texts that a tool answers. */
async function texts(name: string, given: Record<string, unknown> = {}): Promise<string[]> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const found = content.map((one) => (one.type === 'text' ? one.text : `a block of ${one.type}`));
  if (isError) throw new Error(found.join('\n'));
  return found;
}
const answered = async (name: string, given?: Record<string, unknown>) => JSON.parse((await texts(name, given))[0] ?? '');

type Operation = { operationId: string; responses: Record<string, { content?: object }> };
const operationsOf = async (verb: string): Promise<[string, Operation][]> => {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, item]): [string, Operation][] => (item[verb] ? [[path, item[verb]]] : []));
};

describe('the tools', () => {
  it('are every GET that answers JSON, the estimates, and two for all writes, none of which changes anything', async () => {
    const gets = (await operationsOf('get')).filter(([path]) => !path.endsWith('/pdf')).map(([, { operationId }]) => operationId);
    const { tools } = await client.listTools();
    const estimates = ['estimate_signing', 'estimate_upgrade', 'estimate_cancellation'];
    expect(tools.map(({ name }) => name).sort()).toEqual([...gets, ...estimates, 'describe_write', 'prepare_write'].sort());
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    expect(gets.length).toBeGreaterThan(40);
  });

  it('answer what the API answers', async () => {
    const { hits } = await vendor.listInvoices({ contract });
    const invoice = hits[0]?.invoice.id ?? '';
    expect(await answered('get_customer', { customer_id: customer })).toEqual(await vendor.getCustomer(customer));
    expect(await answered('explain_invoice', { invoice_id: invoice })).toEqual(await vendor.explainInvoice(invoice));
    expect(await answered('get_contract_timeline', { contract_id: contract })).toEqual(await vendor.getContractTimeline(contract));
    expect((await answered('list_invoices', { contract, status: 'ready_for_payment' })).hits).toEqual(hits);
    expect((await answered('search_customers', { metadata: { team: 'x' } })).total).toBe(0);
  });

  it('say in words what the API refuses and what does not fit', async () => {
    await expect(texts('get_customer')).rejects.toThrow(/arguments of get_customer do not fit: .*customer_id/);
    await expect(texts('get_customer', { customer_id: customer, also: 1 })).rejects.toThrow(/do not fit/);
    await expect(texts('list_invoices', { limit: 51 })).rejects.toThrow(/do not fit: .*limit/);
    await expect(texts('search_customers', { direction: 'up' })).rejects.toThrow('data/direction must be one of forward, backward');
    await expect(texts('describe_write', { operation: 'sell' })).rejects.toThrow(/operation must be one of .*\bsign_contract\b/);
    await expect(texts('get_customer', { customer_id: 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f' })).rejects.toThrow(
      'customer_not_found (404): ',
    );
    await expect(texts('delete_everything')).rejects.toThrow('There is no tool called delete_everything.');
  });

  it('give long lists page by page, each short enough, and every hit once', async () => {
    const names = Array.from({ length: 25 }, (_, at) => `Customer ${at}`);
    for (const name of names) await vendor.saveCustomer({ name, notes: 'x'.repeat(3000) });
    const found: string[] = [];
    let offset: string | undefined;
    do {
      const [page = '', note = ''] = await texts('search_customers', { search: 'Customer', limit: 25, ...(offset ? { offset } : {}) });
      expect(page.length).toBeLessThanOrEqual(30_000);
      const { hits, forward } = JSON.parse(page);
      found.push(...hits.map(({ name }: { name: string }) => name));
      expect(note).toContain(forward === null ? '' : `There are more hits: give "offset": "${forward}".`);
      offset = forward ?? undefined;
    } while (offset !== undefined);
    expect(found).toEqual(names);
    const usual = await texts('search_customers', { search: 'Customer' });
    expect(usual[1]).toMatch(/^(Only \d of the 10 hits|There are more hits)/);
  });

  it('say how to go on backward, too', async () => {
    const found: string[] = [];
    let offset: string | undefined;
    do {
      const given = { search: 'Customer', limit: 10, direction: 'backward', ...(offset ? { offset } : {}) };
      const [page = '', note = ''] = await texts('search_customers', given);
      found.unshift(...JSON.parse(page).hits.map(({ name }: { name: string }) => name));
      offset = /give "offset": "([^"]+)"/.exec(note)?.[1];
    } while (offset !== undefined);
    expect(found).toEqual(Array.from({ length: 25 }, (_, at) => `Customer ${at}`));
  });

  it('cut one long answer, and say so', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`key-${at}`, 'y'.repeat(1000)]));
    const long = await vendor.saveCustomer({ name: 'Long', metadata });
    const [text = '', note] = await texts('get_customer', { customer_id: long });
    expect([text.length, text.slice(0, 50)]).toEqual([30_000, expect.stringContaining(long)]);
    expect(note).toMatch(/^The answer is cut: these are the first 30000 of its 5\d{4} characters\.$/);
  });
});

it.each(['', 'billing.example.com', 'localhost:3000'])('a wrong PERENNIAL_URL is named at the start: "%s"', async (url) => {
  const started = run(await oldestNode(), [MAIN], { env: { PERENNIAL_URL: url, PERENNIAL_API_KEY: 'api_key_1' }, timeout: 60_000 });
  await expect(started).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^Set PERENNIAL_URL to .*\n$/) });
});

describe('where no API answers', () => {
  let page: Server;
  beforeAll(async () => {
    page = createServer((_request, response) => response.end('<!doctype html>'));
    await new Promise<void>((listening) => page.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => page.close());

  it.each(['a page', 'nothing'])('a tool answers so in words: %s', async (what) => {
    const url = what === 'nothing' ? 'http://127.0.0.1:9' : `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const other = new Client({ name: 'test', version: '1.0.0' });
    const env = { PERENNIAL_URL: url, PERENNIAL_API_KEY: 'api_key_1' };
    await other.connect(new StdioClientTransport({ command: await oldestNode(), args: [MAIN], env }));
    const { isError, content } = await other.callTool({ name: 'search_customers', arguments: {} });
    await other.close();
    const words =
      what === 'nothing'
        ? `Nothing answers at ${url}.`
        : `${url}/openapi.json is not the document of the API: is PERENNIAL_URL the address of the API?`;
    expect([isError, content]).toEqual([true, [{ type: 'text', text: words }]]);
  });
});

describe('a write', () => {
  const more = { upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '5' } } };

  it('is shown with its estimate and not sent; run as shown, it costs what the estimate says', async () => {
    const before = await vendor.listAudit().all();
    const [shown = '', head, estimate = ''] = await texts('prepare_write', {
      operation: 'upgrade_contract',
      parameters: { contract_id: contract },
      body: { ...more, notes: undefined },
    });
    expect(head).toBe('What it would come to (estimate_upgrade):');
    expect(JSON.parse(estimate).upgrade_cost_breakdown.total).toBe('20.00');
    expect(await vendor.listAudit().all()).toEqual(before);
    expect((await vendor.getContract(contract)).contract_summary.status).toBe('active');

    const { request } = JSON.parse(shown);
    expect(request).toEqual({ method: 'POST', path: `/v1/c/contract/${contract}/upgrade`, body: more });
    const changed = await vendor.upgradeContract(contract, request.body);
    expect((await vendor.listInvoices({ contract: changed })).hits.map(({ invoice }) => invoice.total)).toEqual(['20.00']);
  });

  it('is a line for a shell, without the key and with a key of its own against a second run', async () => {
    const body = { notes: `it's "quoted" $HOME \`id\`` };
    const [shown = ''] = await texts('prepare_write', { operation: 'freeze_customer', parameters: { customer_id: customer }, body });
    const { curl } = JSON.parse(shown);
    const said = await run('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${curl}`], {
      env: { PERENNIAL_URL: 'https://billing.example.com', PERENNIAL_API_KEY: 'the-key' },
    });
    expect(said.stdout.trim().split('\n')).toEqual([
      ...['-X', 'POST', `https://billing.example.com/v1/c/customer/${customer}/inactivate`, '-H', 'wb-key: the-key'],
      ...[
        '-H',
        expect.stringMatching(/^idempotency-key: [0-9a-f-]{36}$/),
        '-H',
        'content-type: application/json',
        '-d',
        JSON.stringify(body),
      ],
    ]);
    expect((await vendor.getCustomer(customer)).status).not.toBe('inactive');
  });

  it('is described with path, shape, example and estimate, and checked before it is shown', async () => {
    const [list = ''] = await texts('describe_write');
    const posts = (await operationsOf('post')).map(([, { operationId }]) => operationId);
    const apart = [
      'estimate_signing',
      'estimate_upgrade',
      'estimate_cancellation',
      'confirm_payment_session',
      'start_session',
      'end_session',
    ];
    expect(list.split('\n').map((line) => line.split(':')[0])).toEqual(posts.filter((name) => !apart.includes(name)));
    const described = await answered('describe_write', { operation: 'cancel_contract' });
    expect(described).toMatchObject({
      path: '/v1/c/contract/{contract_id}/cancel',
      required: ['contract_id'],
      estimate: 'estimate_cancellation',
    });
    const wrong = { operation: 'cancel_contract', parameters: { contract_id: contract }, body: { when: { type: 'never' } } };
    await expect(texts('prepare_write', wrong)).rejects.toThrow(/parameters and body of cancel_contract do not fit: .*when/);
    await expect(texts('prepare_write', { operation: 'get_customer' })).rejects.toThrow(/do not fit/);
  });

  it('whose estimate is refused says why', async () => {
    const nothing = { upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { planes: '5' } } };
    const [, why] = await texts('prepare_write', { operation: 'upgrade_contract', parameters: { contract_id: contract }, body: nothing });
    expect(why).toMatch(/^estimate_upgrade refuses it: \w+ \(4\d\d\): /);
  });
});

it('is tested with the package that it names', () => {
  const named = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  const { dependencies } = named('mcp/package.json');
  const { devDependencies } = named('package.json');
  expect(Object.entries(dependencies)).toEqual([['@modelcontextprotocol/server', devDependencies['@modelcontextprotocol/server']]]);
});

it('says what it needs when its settings are missing', async () => {
  const ended = await run(process.execPath, [MAIN], { env: {} }).catch((error: { code: number; stderr: string }) => error);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Set PERENNIAL_URL .* PERENNIAL_API_KEY /) });
});
