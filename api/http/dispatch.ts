import type { Method, Route } from './route.ts';

interface Node {
  readonly fixed: Map<string, Node>;
  variable: Node | null;
  readonly routes: Map<string, Route>;
}

const newNode = (): Node => ({ fixed: new Map(), variable: null, routes: new Map() });
const isParameter = (segment: string) => segment.startsWith('{');

export interface Match {
  readonly route: Route;
  readonly params: Record<string, string>;
}

/** What is at a path: a route, other methods only, or nothing. */
export type Found = Match | { readonly allow: string[] } | null;

/** Finds routes segment by segment; a fixed segment wins over a parameter. */
export class Dispatch {
  readonly #root = newNode();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  #add(route: Route): void {
    let node = this.#root;
    for (const segment of route.path.split('/')) {
      if (isParameter(segment)) {
        node.variable ??= newNode();
        node = node.variable;
      } else {
        const next = node.fixed.get(segment) ?? newNode();
        node.fixed.set(segment, next);
        node = next;
      }
    }
    if (node.routes.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    node.routes.set(route.method, route);
  }

  find(method: string, path: string): Found {
    const segments = path.split('/');
    const node = walk(this.#root, segments, 0);
    if (node === null) return null;
    const wanted: string = method === 'HEAD' ? 'get' : method.toLowerCase();
    const route = node.routes.get(wanted as Method);
    if (route === undefined) return { allow: allowed(node) };
    return { route, params: paramsOf(route, segments) };
  }
}

function walk(node: Node, segments: readonly string[], at: number): Node | null {
  const segment = segments[at];
  if (segment === undefined) return node.routes.size > 0 ? node : null;
  const fixed = node.fixed.get(segment);
  const found = fixed === undefined ? null : walk(fixed, segments, at + 1);
  if (found !== null || node.variable === null || segment === '') return found;
  return walk(node.variable, segments, at + 1);
}

const allowed = (node: Node): string[] => {
  const methods = [...node.routes.keys()].map((method) => method.toUpperCase());
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
};

function paramsOf(route: Route, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, segment] of route.path.split('/').entries()) {
    if (isParameter(segment)) params[segment.slice(1, -1)] = decode(segments[at] ?? '');
  }
  return params;
}

/** A broken percent-encoding stays as it is and fails the parameter's schema. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
