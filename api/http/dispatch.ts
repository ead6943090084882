import Router from '@koa/router';
import type { Route } from './route.ts';

export interface Match {
  readonly route: Route;
  readonly params: Record<string, string>;
}

/** What is at a path: a route, other methods only, or nothing. */
export type Found = Match | { readonly allow: string[] } | null;

/** Where the noun stands in `/v1/c/noun`. */
const NOUN = 3;

/**
 * Finds routes by method and path with the router; a fixed segment wins over a parameter. The router tries one route after the other, so that
 * there is one for each noun and number of segments: a parameter never holds a slash, and none comes before the noun.
 */
export class Dispatch {
  readonly #routers = new Map<string, Router>();
  readonly #routes = new Map<string, Route>();

  constructor(routes: readonly Route[]) {
    // The router looks at its layers in their order.
    for (const route of [...routes].sort((a, b) => parameters(a) - parameters(b))) this.#add(route);
  }

  #add(route: Route): void {
    const name = `${route.method} ${route.path}`;
    if (this.#routes.has(name)) throw new Error(`two routes for ${name}`);
    if (shapeOf(route.path).includes('{')) throw new Error(`a parameter in the place of the noun: ${name}`);
    this.#routes.set(name, route);
    this.#routerOf(route.path).register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], () => undefined, { name });
  }

  #routerOf(path: string): Router {
    const shape = shapeOf(path);
    const known = this.#routers.get(shape) ?? new Router({ sensitive: true, strict: true });
    this.#routers.set(shape, known);
    return known;
  }

  find(method: string, path: string): Found {
    const router = this.#routers.get(shapeOf(path));
    if (router === undefined) return null;
    const { path: layers, pathAndMethod } = router.match(path, method);
    const [nearest] = layers;
    if (nearest === undefined) return null;
    const layer = pathAndMethod.find((one) => one.path === nearest.path);
    const route = layer && this.#routes.get(layer.name ?? '');
    if (layer === undefined || route === undefined) {
      return { allow: allowed(layers.filter((one) => one.path === nearest.path).flatMap((one) => one.methods)) };
    }
    return { route, params: layer.params(path, layer.captures(path)) };
  }
}

/** The router names HEAD before the GET that brings it. */
const allowed = (methods: string[]): string[] => [
  ...methods.filter((one) => one !== 'HEAD'),
  ...(methods.includes('HEAD') ? ['HEAD'] : []),
];

/** `5 usage` of `/v1/c/usage/{id}/amend`: how many segments there are, and the third. */
function shapeOf(path: string): string {
  let [slashes, begin, end] = [0, path.length, path.length];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    slashes += 1;
    if (slashes === NOUN) begin = at + 1;
    else if (slashes === NOUN + 1) end = at;
  }
  return `${slashes} ${path.slice(begin, end)}`;
}

const parameters = ({ path }: Route): number => path.split('{').length - 1;
