import Router from '@koa/router';
import type { Route } from './route.ts';

export interface Match {
  readonly route: Route;
  readonly params: Record<string, string>;
}

/** What is at a path: a route, other methods only, or nothing. */
export type Found = Match | { readonly allow: string[] } | null;

/** Finds routes by method and path with the router; a fixed segment wins over a parameter. */
export class Dispatch {
  readonly #router = new Router({ sensitive: true, strict: true });
  readonly #routes = new Map<string, Route>();

  constructor(routes: readonly Route[]) {
    // The router looks at its layers in their order.
    for (const route of [...routes].sort((a, b) => parameters(a) - parameters(b))) this.#add(route);
  }

  #add(route: Route): void {
    const name = `${route.method} ${route.path}`;
    if (this.#routes.has(name)) throw new Error(`two routes for ${name}`);
    this.#routes.set(name, route);
    this.#router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], () => undefined, { name });
  }

  find(method: string, path: string): Found {
    const { path: layers, pathAndMethod } = this.#router.match(path, method);
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

const parameters = ({ path }: Route): number => path.split('{').length - 1;
