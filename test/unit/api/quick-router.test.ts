import Router from '@koa/router';
import { EXACT, QuickRouter } from '../../../api/http/quick-router.ts';

const nothing = () => undefined;

function example(): QuickRouter {
  const router = new QuickRouter();
  const customers = new Router(EXACT)
    .get('read', '/v1/c/customer/:customer_id', nothing)
    .delete('remove', '/v1/c/customer/:customer_id', nothing)
    .post('authenticate', '/v1/c/customer/authenticate', nothing);
  const pages = new Router(EXACT)
    .get('home', '/', nothing)
    .get('portal', '/portal', nothing)
    .get('invoice', '/portal/invoice/:invoice_id', nothing)
    .get('line', '/portal/invoice/:invoice_id/line/:line_id', nothing)
    .all('rest of the portal', '/portal{/{*rest}}', nothing);
  router.use(pages.routes());
  router.use(customers.routes());
  router.routes();
  return router;
}

/** The name of the route that takes a request; otherwise the methods that its path has. */
function found(router: QuickRouter, method: string, path: string): string | string[] {
  const { path: layers, pathAndMethod } = router.match(path, method);
  return pathAndMethod[0]?.name ?? layers.flatMap((layer) => layer.methods);
}

describe('the router', () => {
  const router = example();

  it.each([
    ['GET', '/v1/c/customer/Cust_1', 'read'],
    ['HEAD', '/v1/c/customer/Cust_1', 'read'],
    ['DELETE', '/v1/c/customer/Cust_1', 'remove'],
    ['POST', '/v1/c/customer/authenticate', 'authenticate'],
    ['GET', '/', 'home'],
    ['GET', '/portal', 'portal'],
    ['GET', '/portal/invoice/Inv_1', 'invoice'],
    ['GET', '/portal/invoice/Inv_1/line/Item_1', 'line'],
  ])('gives %s %s to the route of this path and method', (method, path, name) => {
    expect(found(router, method, path)).toBe(name);
  });

  it('lets a fixed segment win over a parameter also where it has another method alone', () => {
    expect(found(router, 'GET', '/v1/c/customer/authenticate')).toEqual(['POST']);
  });

  it('names all methods of a path that has others', () => {
    expect(found(router, 'POST', '/v1/c/customer/Cust_1')).toEqual(['HEAD', 'GET', 'DELETE']);
  });

  it.each(['/v1/c/customer', '/v1/c/customer/', '/v1/c/Customer/Cust_1', '/v1/c/customer/Cust_1/x', '/v1/c/plan/Plan_1', '//'])(
    'finds nothing at %s',
    (path) => {
      expect(found(router, 'GET', path)).toEqual([]);
    },
  );

  it.each([
    ['PUT', '/portal'],
    ['POST', '/portal/invoice/Inv_1'],
    ['GET', '/portal/'],
    ['GET', '/portal/a/b'],
    ['PROPFIND', '/portal/x'],
  ])('gives %s %s, which nothing else takes, to the path with a wildcard', (method, path) => {
    expect(found(router, method, path)).toBe('rest of the portal');
  });

  it('leaves /portals, which only begins alike, to nobody', () => {
    expect(found(router, 'GET', '/portals')).toEqual([]);
  });

  it('refuses two routes for one method and path, and middleware that it would never run', () => {
    const adding = (add: (router: QuickRouter) => unknown) => () => {
      const wrong = new QuickRouter();
      wrong.get('/v1/c/customer/:customer_id', nothing);
      add(wrong);
      wrong.routes();
    };
    const twice = 'two routes for HEAD, GET /v1/c/customer/:customer_id';
    expect(adding((one) => one.get('/v1/c/customer/:customer_id', nothing))).toThrow(twice);
    expect(adding((one) => one.use(nothing))).toThrow('would never run');
    expect(adding((one) => one.post('/v1/c/customer/:customer_id', nothing))).not.toThrow();
  });
});
