import Router, { type Layer, type MatchResult } from '@koa/router';

/** More parameters than any path has. */
const MOST_PARAMS = 1_000;
/** The position of the noun in `/v1/c/noun`. */
const NOUN = 3;

/** `/healthz/` and `/Healthz` are other paths than `/healthz`. */
export const EXACT = { sensitive: true, strict: true } as const;

/**
 * The router of `@koa/router` with a matching of its own. The path that fits best is the only one asked: fixed segments
 * win over parameters also where they stand with another method, and a path with a wildcard takes what is left. Layers
 * are looked up by noun and number of segments, so that a path is compared with few of them
 * (docs/decisions/api-router.md).
 */
export class QuickRouter extends Router {
  readonly #byShape = new Map<string, Layer[]>();
  /** Layers whose noun can be anything; tried in their order when no other takes a request. */
  readonly #open: Layer[] = [];

  constructor() {
    super(EXACT);
  }

  /** To be called when all routes are there. */
  override routes(): ReturnType<Router['routes']> {
    this.#index();
    return super.routes();
  }

  override match(path: string, method: string): MatchResult {
    const layers = this.#byShape.get(shapeOf(path)) ?? [];
    const first = layers.find((layer) => layer.match(path));
    const nearest = first === undefined ? [] : layers.filter((layer) => layer.path === first.path);
    const taking = nearest.find((layer) => layer.methods.includes(method)) ?? this.#openLayerFor(path, method);
    if (taking === undefined) return { path: nearest, pathAndMethod: [], route: false };
    return { path: nearest, pathAndMethod: [taking], route: true };
  }

  #openLayerFor(path: string, method: string): Layer | undefined {
    return this.#open.find((layer) => layer.match(path) && layer.methods.includes(method));
  }

  #index(): void {
    this.#byShape.clear();
    this.#open.length = 0;
    for (const layer of this.stack.toSorted((a, b) => openness(a) - openness(b))) {
      const path = String(layer.path);
      if (layer.methods.length === 0) throw new Error(`middleware without a method at ${path} would never run`);
      const layers = this.#layersLike(path);
      if (layers.some((one) => one.path === path && one.methods.some((method) => layer.methods.includes(method)))) {
        throw new Error(`two routes for ${layer.methods.join(', ')} ${path}`);
      }
      layers.push(layer);
    }
  }

  #layersLike(path: string): Layer[] {
    const shape = shapeOf(path);
    if (path.includes('*') || shape.includes(':')) return this.#open;
    const known = this.#byShape.get(shape) ?? [];
    this.#byShape.set(shape, known);
    return known;
  }
}

/**
 * The rank of a path: the more parameters, the more requests it fits and the later it is tried. A path with a wildcard
 * comes last, whatever else it has.
 */
const openness = ({ path, paramNames }: Layer): number => paramNames.length + (String(path).includes('*') ? MOST_PARAMS : 0);

/**
 * The key by which layers are looked up: the number of segments and the third one, `5 usage` for
 * `/v1/c/usage/{id}/amend`.
 */
function shapeOf(path: string): string {
  let [slashes, begin, end] = [0, path.length, path.length];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    slashes += 1;
    if (slashes === NOUN) begin = at + 1;
    else if (slashes === NOUN + 1) end = at;
  }
  return `${slashes} ${path.slice(begin, end)}`;
}
