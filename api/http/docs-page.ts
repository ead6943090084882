import { errors } from './errors.ts';
import { type OpenApi, type Operation, type Parameter, parametersIn } from './openapi.ts';

type Json = Record<string, unknown>;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const html = (text: unknown): string => String(text).replace(/[&<>"']/g, (character) => escapes[character] ?? character);
const prose = (text: unknown): string => html(text).replace(/`([^`]+)`/g, '<code>$1</code>');
/** Lines of an example that is shown at once; longer ones open by a click. */
const SHORT = 24;

function code(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const shown = `<pre>${html(text)}</pre>`;
  return text.split('\n').length <= SHORT ? shown : `<details><summary>Example</summary>${shown}</details>`;
}

const pages = new WeakMap<OpenApi, string>();

/** The API reference in one page, without script or any other address. Made once for each document. */
export function docsPage(document: OpenApi): string {
  const known = pages.get(document);
  if (known !== undefined) return known;
  const page = made(document);
  pages.set(document, page);
  return page;
}

function made(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const byTag = Object.groupBy(operations, ({ operation }) => operation.tags[0] ?? '');
  const contents = Object.entries(byTag)
    .map(([tag, list = []]) => `<li><b>${html(tag)}</b><ul>${list.map(({ operation }) => link(operation)).join('')}</ul></li>`)
    .join('');
  const sections = Object.entries(byTag)
    .map(([tag, list = []]) => {
      const about = document.tags.find(({ name }) => name === tag)?.description ?? '';
      const entries = list.map((entry) => section(document, entry.method, entry.path, entry.operation));
      return `<h2>${html(tag)}</h2><p>${prose(about)}</p>${entries.join('')}`;
    })
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${html(document.info.title)} API</title><style>${STYLE}</style></head><body>
<nav><h1>${html(document.info.title)} API</h1><p>Version ${html(document.info.version)} · <a href="/openapi.json">openapi.json</a></p><ul>${contents}
<li><a href="#headers">Headers</a></li><li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul></nav>
<main>${introduction(document)}${sections}${headerTable(document)}${errorTable()}${schemaList(document)}</main></body></html>`;
}

const link = (operation: Operation) => `<li><a href="#${html(operation.operationId)}">${html(operation.summary)}</a></li>`;

const introduction = (document: OpenApi) => `<p>${prose(document.info.description)}</p>
<p>Send your key in the header <code>wb-key</code>. Bodies are JSON; amounts, prices and quantities are decimal text; times are ISO 8601 in UTC.
Every POST takes an <code>Idempotency-Key</code>. Every response has a <code>request-id</code>.</p>
<pre>curl '${html(document.servers[0]?.url)}/v1/c/plan?limit=5' -H 'wb-key: api_key_…'</pre>`;

function section(document: OpenApi, method: string, path: string, operation: Operation): string {
  const body = operation.requestBody?.content['application/json'];
  return `<section id="${html(operation.operationId)}"><h3>${html(operation.summary)}</h3>
<p class="path"><b>${html(method.toUpperCase())}</b> ${html(path)}</p>
<p>${prose(operation.description)}</p>
${parameters(parametersIn(document, operation))}
${body === undefined ? '' : `<h4>Body</h4><p>${schemaName(body.schema)}</p>${code(body.example)}`}
<h4>Responses</h4>${Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, response]) => successText(status, response))
    .join('')}${failures(operation)}</section>`;
}

/** How the operation may fail; the table of errors says what to do about each. */
function failures(operation: Operation): string {
  const rows = operation['x-error-codes']
    .toSorted((a, b) => errors[a].status - errors[b].status)
    .map(
      (name) =>
        `<tr><td>${errors[name].status}</td><td><a href="#error-${html(name)}">${html(name)}</a></td><td>${html(errors[name].title)}</td></tr>`,
    );
  return `<details><summary>Errors</summary><table>${rows.join('')}</table></details>`;
}

function parameters(list: readonly Parameter[]): string {
  if (list.length === 0) return '';
  const rows = list.map(
    (one) =>
      `<tr><td><code>${html(one.name)}</code></td><td>${html(one.in)}${one.required ? ', required' : ''}</td><td>${typeText(one.schema)}</td><td>${prose(one.description)}</td></tr>`,
  );
  return `<h4>Parameters</h4><table>${rows.join('')}</table>`;
}

function successText(status: string, response: Json): string {
  const content = response.content as Record<string, { schema: Json; example?: unknown }> | undefined;
  const shape = content?.['application/json'];
  const example = shape?.example === undefined ? '' : code(shape.example);
  return `<p><b>${status}</b> ${shape === undefined ? prose(response.description) : schemaName(shape.schema)}</p>${example}`;
}

const lastOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function schemaName(schema: Json): string {
  const reference = schema.$ref;
  if (typeof reference !== 'string') return `<code>${html(JSON.stringify(schema))}</code>`;
  const name = lastOf(reference);
  return `<a href="#schema-${html(name)}">${html(name)}</a>`;
}

function typeText(schema: Json): string {
  if (typeof schema.$ref === 'string') return schemaName(schema);
  const alternatives = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (alternatives !== undefined) return alternatives.map(typeText).join(' | ');
  if (Array.isArray(schema.enum)) return html(schema.enum.map((value) => JSON.stringify(value)).join(' | '));
  if (schema.const !== undefined) return html(JSON.stringify(schema.const));
  if (schema.type === 'array') return `array of ${typeText((schema.items ?? {}) as Json)}`;
  if (schema.type === 'object' && schema.properties !== undefined) return `object${fields(schema)}`;
  if (schema.type === 'object') return `map to ${typeText((schema.additionalProperties || {}) as Json)}`;
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : String(schema.type ?? 'any');
  return html(`${type}${schema.format === undefined ? '' : ` (${String(schema.format)})`}`);
}

function fields(schema: Json): string {
  const required = new Set((schema.required ?? []) as string[]);
  const rows = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
    ([name, field]) =>
      `<tr><td><code>${html(name)}</code>${required.has(name) ? '' : ' <i>optional</i>'}</td><td>${typeText(field)}</td><td>${prose(field.description ?? '')}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}

function schemaList(document: OpenApi): string {
  const items = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<section id="schema-${html(name)}"><h4>${html(name)}</h4><p>${prose(schema.description ?? '')}</p>${typeText(schema)}</section>`,
  );
  return `<h2 id="schemas">Schemas</h2>${items.join('')}`;
}

function headerTable(document: OpenApi): string {
  const rows = Object.entries(document.components.headers).map(
    ([name, { description, example }]) =>
      `<tr><td><code>${html(name)}</code></td><td>${prose(description)}</td><td><code>${html(example)}</code></td></tr>`,
  );
  return `<h2 id="headers">Headers of responses</h2><table>${rows.join('')}</table>`;
}

function errorTable(): string {
  const rows = Object.entries(errors).map(
    ([name, { status, title, remedy }]) =>
      `<tr id="error-${html(name)}"><td><code>${html(name)}</code></td><td>${status}</td><td>${html(title)}</td><td>${prose(remedy)}</td></tr>`,
  );
  return `<h2 id="errors">Errors</h2><table>${rows.join('')}</table>`;
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:0;color:#1c2430;display:flex}
nav{width:19rem;height:100vh;overflow:auto;position:sticky;top:0;padding:1rem;box-sizing:border-box;background:#f4f6f8;font-size:13px}
nav ul{padding-left:1rem;list-style:none}nav h1{font-size:1.2rem}main{flex:1;max-width:60rem;padding:1rem 2rem;min-width:0}
section{border-top:1px solid #dde2e8;padding:.5rem 0}pre{background:#f4f6f8;padding:.6rem;overflow:auto;font-size:13px}
.path{font-family:ui-monospace,monospace}summary{cursor:pointer;margin:.4rem 0}
table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto}p code{overflow-wrap:anywhere}td{border-bottom:1px solid #e6eaee;padding:.25rem .6rem;vertical-align:top}a{color:#1a5fb4}
@media(max-width:48rem){body{display:block}nav{width:auto;height:auto;max-height:45vh;position:static;font-size:15px;border-bottom:1px solid #dde2e8}
nav ul ul a{display:block;padding:.2rem 0}h2,h3,h4,p,a{overflow-wrap:anywhere}main{padding:1rem}
tr,td{display:block;border:0;padding:0}tr{border-bottom:1px solid #e6eaee;padding:.3rem 0}td td{padding-left:.8rem}}`;
