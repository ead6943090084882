/**
 * Sends generated requests to a running copy and fails on any 5xx or answer that breaks the document. Needs schemathesis
 * (`pip install schemathesis`) on PATH or in SCHEMATHESIS, and the copy's `dev.json`.
 *
 *   npm run fuzz:api -- [.perennial/dev.json] [cases for each operation]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [file = '.perennial/dev.json', examples = '40'] = process.argv.slice(2);
const { base_url: base, api_key: key } = JSON.parse(readFileSync(file, 'utf8')) as { base_url: string; api_key: string };

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers = { 'wb-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** One object of each kind, so that generated requests reach past "unknown". */
async function seed(): Promise<Record<string, string>> {
  const unique = Date.now().toString(36);
  const flat = { amount: '29', strategy_details: { pricing_strategy: 'flat' } };
  const calls = { amount: '0.0295', strategy_details: { pricing_strategy: 'usage', unit_name: 'call', batch_size: 100 } };
  const plan = await call<string>('POST', '/v1/c/plan', {
    slug: `fuzz-${unique}`,
    internal_name: 'Fuzz',
    strategy: 'plan',
    features: [{ slug: 'calls', name: 'Calls' }],
    pricings: [{ currency: 'usd', cycle: 'month', price: flat, features: { calls } }],
  });
  const customer = await call<string>('POST', '/v1/c/customer', { name: 'Fuzz', emails: { a: 'fuzz@example.test' } });
  const contract = await call<string>('POST', '/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  const event = await call<string>('POST', '/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '1' });
  const discount = { slug: `fuzz-${unique}`, name: 'Fuzz', discount_type: 'percentage', amount: '10', duration: 3 };
  const clock = await call<string>('POST', '/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
  const session = await call<{ token: string }>('POST', `/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
  const { hits } = await call<{ hits: { invoice: { id: string } }[] }>('GET', `/v1/c/invoice?contract=${contract}`);
  return {
    plan_id: plan,
    customer_id: customer,
    contract_id: contract,
    event_id: event,
    discount_id: await call('POST', '/v1/c/discount', discount),
    test_clock_id: clock,
    invoice_id: hits[0]?.invoice.id ?? '',
    token: session.token,
  };
}

const ids = await seed();
const folder = mkdtempSync(join(tmpdir(), 'fuzz-api-'));
const parameters = Object.entries(ids).map(([name, id]) => `"path.${name}" = "${id}"`);
writeFileSync(
  join(folder, 'schemathesis.toml'),
  [
    `headers = { "wb-key" = "${key}" }`,
    'workers = 2',
    'continue-on-failure = true',
    '[parameters]',
    ...parameters,
    // the run's own key must outlive it
    '[[operations]]',
    'include-path-regex = "api_key/"',
    'enabled = false',
    '',
  ].join('\n'),
);
const checks = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,negative_data_rejection';
const command = process.env.SCHEMATHESIS ?? 'schemathesis';
const options = ['--max-examples', examples, '--checks', checks, '--phases', 'examples,coverage,fuzzing'];
const { status, error } = spawnSync(command, ['run', `${base}/openapi.json`, ...options], { cwd: folder, stdio: 'inherit' });
if (error) throw new Error(`${command} could not be run; install it with pip install schemathesis`, { cause: error });
process.exit(status ?? 1);
