import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { stringValue?: string; intValue?: number };
type Attribute = { key: string; value: Value };
type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 3: a call to somebody else */
  kind?: number;
  attributes: Attribute[];
};
type Sent = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[] };

export type Span = Omit<SentSpan, 'attributes'> & { service: string; facts: Record<string, string | number> };

export type Collector = {
  endpoint: string;
  spans: Span[];
  /** Everything that was received, as it came. */
  text(): string;
  stop(): void;
};

/** What stands for an OpenTelemetry collector: it keeps whatever is sent. */
export async function startCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    bodies.push(`${request.url} ${body}`);
    spans.push(...spansIn(JSON.parse(body) as Sent));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, spans, text: () => bodies.join('\n'), stop: () => server.close() };
}

function spansIn({ resourceSpans }: Sent): Span[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(factsOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service, facts: factsOf(span.attributes) })));
  });
}

function factsOf(attributes: readonly Attribute[]): Record<string, string | number> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));
}
