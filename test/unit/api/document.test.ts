import { Ajv2020 } from 'ajv/dist/2020.js';
import { MOST } from '../../../api/http/body-shape.ts';
import { docsPage } from '../../../api/http/docs-page.ts';
import { errors } from '../../../api/http/errors.ts';
import { codesOf, type OpenApi, openapi, parametersIn } from '../../../api/http/openapi.ts';
import { parseWith } from '../../../api/http/validation-error.ts';
import { routes } from '../../../api/routes.ts';

const { document } = openapi('http://127.0.0.1:3000');

const INTERFACE = [
  'get /v1/c/contract/{contract_id}',
  'post /v1/c/contract/{contract_id}/upgrade_estimate',
  'post /v1/c/contract/{contract_id}/upgrade',
  'post /v1/c/usage',
  'post /v1/c/customer',
  'get /v1/c/customer',
  'get /v1/c/customer/{customer_id}',
  'post /v1/c/customer/{customer_id}/address',
  'post /v1/c/customer/authenticate',
  'post /v1/c/customer/{customer_id}/payment/session',
  'post /v1/c/customer/{customer_id}/payment/method_selection',
  'post /v1/c/customer/{customer_id}/inactivate',
  'post /v1/c/customer/{customer_id}/activate',
  'post /v1/c/preferences/invoicing',
  'get /v1/c/entitlement/{customer_id}/access',
  'get /v1/c/entitlement/{customer_id}/billing',
];

type AnyJson = Record<string, unknown>;

const operations = (api: OpenApi) =>
  Object.entries(api.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => ({ path, method, ...one })));

describe('the OpenAPI document', () => {
  it('has the 16 endpoints of the interface, each with the success status it names', () => {
    for (const endpoint of INTERFACE) {
      const [method = '', path = ''] = endpoint.split(' ');
      const status = endpoint.endsWith('authenticate') ? '201' : '200';
      expect([endpoint, Object.keys(document.paths[path]?.[method]?.responses ?? {})]).toEqual([
        endpoint,
        expect.arrayContaining([status]),
      ]);
    }
    expect(document.paths['/v1/c/contract/{contract_id}']?.get?.operationId).toBe('get_contract');
  });

  it('has a unique id, a summary, an example and all errors for every operation', () => {
    const all = operations(document);
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    for (const { summary, requestBody, responses, operationId } of all) {
      expect([operationId, summary.length > 5]).toEqual([operationId, true]);
      if (requestBody !== undefined)
        expect([operationId, requestBody.content['application/json'].example]).toEqual([operationId, expect.anything()]);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '500', '503']));
    }
    for (const route of routes) {
      const responses = document.paths[route.path]?.[route.method]?.responses ?? {};
      for (const code of codesOf(route)) expect(Object.keys(responses)).toContain(String(errors[code].status));
    }
    // an erased customer has no live contract, which is what those calls say then
    const frozenAlone = routes.filter(({ errors: codes }) => codes.includes('customer_frozen') && !codes.includes('customer_erased'));
    expect(frozenAlone.map(({ operationId }) => operationId).toSorted()).toEqual([
      'activate_contract',
      'cancel_contract',
      'charge_contract',
      'estimate_cancellation',
      'undo_contract_cancellation',
      'undo_contract_change',
    ]);
  });

  it('declares every path parameter, and only those of the path', () => {
    for (const { path, ...operation } of operations(document)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = parametersIn(document, operation);
      expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(named);
    }
  });

  it('has no broken reference, and every schema compiles', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name ?? '');
    const known = new Set(
      Object.entries(document.components).flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`)),
    );
    expect(references.filter((name) => !known.has(name))).toEqual([]);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'doc', components: document.components });
    for (const name of Object.keys(document.components.schemas)) ajv.compile({ $ref: `doc#/components/schemas/${name}` });
  });

  it('limits the size of every map and list of a request, to no more than any body may have', () => {
    const unbounded = (name: string, schema: AnyJson, seen: ReadonlySet<string>): string[] => {
      const target = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ''))?.[1];
      if (target !== undefined)
        return seen.has(target) ? [] : unbounded(target, document.components.schemas[target] as AnyJson, new Set([...seen, target]));
      const inside = Object.entries((schema.properties ?? {}) as Record<string, AnyJson>);
      const own = [
        ...(schema.type === 'array' && !(Number(schema.maxItems) <= MOST.entries) ? [`${name}: list`] : []),
        ...(typeof schema.additionalProperties === 'object' && !(Number(schema.maxProperties) <= MOST.fields) ? [`${name}: map`] : []),
      ];
      const alternatives = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) => (some ?? []) as AnyJson[]);
      const entries = [schema.items, schema.additionalProperties].filter((one) => typeof one === 'object') as AnyJson[];
      return [
        ...own,
        ...inside.flatMap(([field, one]) => unbounded(`${name}.${field}`, one, seen)),
        ...[...alternatives, ...entries].flatMap((one) => unbounded(name, one, seen)),
      ];
    };
    const requests = operations(document).flatMap(({ operationId, requestBody, ...operation }) => [
      ...(requestBody === undefined ? [] : unbounded(operationId, requestBody.content['application/json'].schema, new Set())),
      ...parametersIn(document, operation).flatMap(({ name, schema }) => unbounded(`${operationId}?${name}`, schema, new Set())),
    ]);
    expect(requests).toEqual([]);
  });

  it('names ids after what they identify', () => {
    const parameters = document.paths['/v1/c/contract/{contract_id}']?.get?.parameters;
    expect(parameters?.[0]).toMatchObject({ schema: { $ref: '#/components/schemas/ContractId' } });
    expect(document.components.schemas.ContractSummary?.properties).toMatchObject({
      id: { $ref: '#/components/schemas/ContractId' },
      customer_id: { $ref: '#/components/schemas/CustomerId' },
      plan_id: { $ref: '#/components/schemas/PlanId' },
    });
  });

  it('has examples that are valid by its schemas', () => {
    for (const route of routes) {
      if (route.body === undefined) continue;
      const { body = {} } = route.example;
      if (JSON.stringify(body).includes('…')) continue;
      expect(() => parseWith(route.body as NonNullable<typeof route.body>, body, route.operationId)).not.toThrow();
    }
  });

  it('names the two security schemes, and each protected operation accepts both', () => {
    expect(document.components.securitySchemes).toEqual({
      'api-key': { type: 'apiKey', in: 'header', name: 'wb-key' },
      wb_user_cookie: { type: 'apiKey', in: 'cookie', name: 'wb_user' },
    });
    const open = operations(document).filter(({ security }) => security.length === 0);
    expect(open.map(({ operationId }) => operationId).toSorted()).toEqual(['confirm_payment_session', 'end_session', 'start_session']);
  });
});

describe('the docs page', () => {
  it('has a section for every operation and error, and loads nothing from elsewhere', () => {
    const page = docsPage(document);
    for (const { operationId } of operations(document)) expect(page).toContain(`id="${operationId}"`);
    for (const code of Object.keys(errors)) expect(page).toContain(`id="error-${code}"`);
    expect(page).not.toMatch(/<script|<link|src=|@import|url\(/);
  });

  it('shows the description of each operation, parameter and field, an example response and the errors', () => {
    const page = docsPage(document);
    const upgrade = page.slice(page.indexOf('<section id="upgrade_contract">'), page.indexOf('<section id="activate_contract">'));
    expect(upgrade).toContain('A downgrade waits for the end of the cycle unless <code>downgrade_allowed</code>');
    expect(upgrade).toContain('A repeat with the same key and body within 30 days');
    expect(upgrade).toContain('&quot;upgrade_strategy&quot;: &quot;new_plan&quot;');
    expect(upgrade).toContain('<a href="#error-estimate_outdated">estimate_outdated</a>');
    expect(page).toContain('Seconds after which a repeat makes sense.');
    expect(page).toContain('<td>First instant that is no longer in it; null for the single period of <code>once</code>');
    expect(docsPage(document)).toBe(page);
  });

  it('fits a narrow screen: wide content scrolls by itself', () => {
    const page = docsPage(document);
    expect(page).toContain('@media(max-width:48rem){body{display:block}');
    expect(page).toMatch(/table\{[^}]*overflow-x:auto/);
  });
});
