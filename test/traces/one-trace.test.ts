import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';
import { openKit } from '../workflows/kit.ts';
import { type Collector, type Span, startCollector } from './collector.ts';

const VARIABLE = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const ADA = { name: 'Ada Lovelace', emails: { main: 'ada@analytical.example' } };

let collector: Collector;
let stack: OwnStack;
let vendor: TestVendor;
let contract: string;
beforeAll(async () => {
  collector = await startCollector();
  process.env[VARIABLE] = collector.endpoint;
  stack = await ownStack();
  vendor = await stack.newVendor();
  contract = await sign('5a'.repeat(16));
});
afterAll(async () => {
  delete process.env[VARIABLE];
  await stack?.stop();
  collector?.stop();
});

/** What the caller says of the trace its request belongs to. */
const within = (trace: string) => ({ traceparent: `00-${trace}-${'b7'.repeat(8)}-01` });

function planOf(trace: string, cycle: string): Promise<string> {
  const price = { amount: '100.00', strategy_details: { pricing_strategy: 'flat' } };
  return vendor.api.made('/v1/c/plan', {
    slug: `pro-${trace.slice(0, 2)}`,
    internal_name: 'Pro',
    strategy: 'plan',
    features: [],
    pricings: [{ currency: 'usd', cycle, price, features: {}, groups: {} }],
  });
}

/** Of a customer with a card, who pays on request alone. */
async function openInvoice(trace: string): Promise<string> {
  const plan = await planOf(trace, 'month');
  const customer = await vendor.api.made('/v1/c/customer', ADA);
  await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
  const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, {});
  await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
  const signed = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', automatic_payment: false });
  const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${signed}`);
  return hits[0].invoice.id;
}

async function sign(trace: string, cycle = 'month', activation?: string): Promise<string> {
  const plan = await planOf(trace, cycle);
  const customer = await vendor.api.made('/v1/c/customer', ADA);
  return vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle, ...(activation && { activation }) }, within(trace));
}

/** A message is sent by the process that wrote it or by the worker's relay, whichever is there first. */
const EITHER = /^perennial-(api|worker)$/;

function spanOf(trace: string, service: string | RegExp, name: string | RegExp): Span {
  const spans = collector.spans.filter(({ traceId }) => traceId === trace);
  const isIt = (wanted: string | RegExp, text: string) => (typeof wanted === 'string' ? wanted === text : wanted.test(text));
  const found = spans.find((span) => isIt(service, span.service) && isIt(name, span.name));
  if (found === undefined)
    throw new Error(`no ${name} of ${service} among ${spans.map((span) => `${span.service}: ${span.name}`).join(', ')}`);
  return found;
}

/** The names of a span and of all it is part of, the outermost first. */
function pathOf(span: Span): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent === undefined ? [] : pathOf(parent)), span.name];
}

describe('with a collector', () => {
  it('signing is one trace: the caller, the request, its SQL and the start of the workflow, which has nothing to do yet', async () => {
    const trace = '5a'.repeat(16);
    await eventually(() => {
      const request = spanOf(trace, 'perennial-api', 'sign_contract');
      expect(request.parentSpanId).toBe('b7'.repeat(8));
      expect(request.facts).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 201 });
      expect(request.facts['perennial.request_id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(request.facts['perennial.vendor']).toBe(vendor.vendorId);
      const insert = spanOf(trace, 'perennial-api', 'insert contract');
      expect(insert.parentSpanId).toBe(request.spanId);
      const start = spanOf(trace, EITHER, /^SignalWithStartWorkflow:/);
      expect(pathOf(start)).toEqual(['sign_contract', start.name]);
    });
  });

  it('what happens when a timer rings belongs to no caller any more: it is a trace of its own', async () => {
    const trace = '7c'.repeat(16);
    const hourly = await sign(trace, 'hour', new Date(Date.now() - 3_600_000 + 15_000).toISOString());
    const traces = await eventually(() => {
      const steps = collector.spans.filter(
        ({ name, facts }) => name === 'RunActivity:rollOverCycle' && facts.temporalWorkflowId === hourly,
      );
      expect(steps.length).toBeGreaterThanOrEqual(1);
      return steps.map(({ traceId }) => traceId);
    });
    expect(traces).not.toContain(trace);
  });

  it('canceling is one trace: the rows the API writes, the workflow that reads its schedule again, and the SQL of that', async () => {
    const trace = '6b'.repeat(16);
    // one that waits for its first instant would be started again, and run no task
    const kit = await openKit(stack.servers);
    await kit.look(contract).finally(() => kit.close());
    await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'end_of_cycle' } }, within(trace));
    await eventually(() => {
      expect(pathOf(spanOf(trace, 'perennial-api', 'insert event'))).toEqual(['cancel_contract', 'insert event']);
      const activity = spanOf(trace, 'perennial-worker', 'RunActivity:readSchedule');
      expect(activity.facts.temporalWorkflowId).toBe(contract);
      expect(pathOf(activity)).toEqual(['cancel_contract', expect.stringMatching(/^SignalWithStartWorkflow:/), activity.name]);
      const statement = collector.spans.find(
        ({ parentSpanId, service }) => parentSpanId === activity.spanId && service === 'perennial-worker',
      );
      expect(statement?.facts).toMatchObject({ 'db.system.name': 'postgresql' });
    });
  });

  it('a message that the relay sends, because Temporal was away, belongs to the trace of the request that wrote it', async () => {
    const trace = '9e'.repeat(16);
    const letGoOn = await stack.halt('temporal');
    try {
      await sign(trace);
      await eventually(() => spanOf(trace, EITHER, /^SignalWithStartWorkflow:/));
    } finally {
      letGoOn();
    }
    await eventually(() => {
      const sent = spanOf(trace, 'perennial-worker', /^SignalWithStartWorkflow:/);
      expect(pathOf(sent)).toEqual(['sign_contract', sent.name]);
    });
  });

  it('a payment on request is one trace to its end: the request, the message, the workflow, its activity and the call to the provider', async () => {
    const trace = '8d'.repeat(16);
    const invoiceId = await openInvoice(trace);
    await vendor.api.made(`/v1/c/invoice/${invoiceId}/pay`, {}, within(trace));
    await eventually(() => {
      const call = spanOf(trace, 'perennial-worker', 'charge sandbox');
      expect(pathOf(call)).toEqual([
        'pay_invoice',
        expect.stringMatching(/^SignalWithStartWorkflow:/),
        'RunActivity:chargeAttempt',
        'charge sandbox',
      ]);
      expect(call.kind).toBe(3);
      expect(call.facts).toEqual({ 'peer.service': 'sandbox', 'perennial.operation': 'charge', 'perennial.outcome': 'succeeded' });
    });
  });

  it('a poll for work that finds none is no trace', () => {
    const alone = collector.spans.filter(({ parentSpanId, facts }) => parentSpanId === undefined && 'db.system.name' in facts);
    expect(alone).toEqual([]);
  });

  it('nothing personal and no secret leaves: no name, no address, no key, no amount, no SQL', async () => {
    await eventually(() => spanOf('6b'.repeat(16), 'perennial-worker', 'RunActivity:readSchedule'));
    const text = collector.text();
    for (const secret of [ADA.name, ADA.emails.main, vendor.apiKey, '100.00', '$1', '/v1/c/contract']) expect(text).not.toContain(secret);
  });
});
