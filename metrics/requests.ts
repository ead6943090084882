import { Histogram, type Registry } from 'prom-client';

/** A request as the metrics count it. */
export interface ObservedRequest {
  /** the path with its parameters' names; null: no route takes it */
  route: string | null;
  method: string;
  status: number;
}

export type ObserveRequest = (request: ObservedRequest, milliseconds: number) => void;

/** Requests by route: a path that is unknown counts as `none`, so that no caller can make series. */
export function observeRequests(registry: Registry): ObserveRequest {
  const duration = new Histogram({
    name: 'perennial_http_request_seconds',
    help: 'Time from request to response, by the template of its path and the class of its status',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // looked up by its labels for each request, a series costs as much as a request's line in the log
  const series = new Map<string, Histogram.Internal<'route' | 'method' | 'status'>>();
  return ({ route, method, status }, milliseconds) => {
    const labels = { route: route ?? 'none', method: route === null ? 'any' : method, status: `${Math.floor(status / 100)}xx` };
    const name = `${labels.method} ${labels.status} ${labels.route}`;
    const one = series.get(name) ?? duration.labels(labels);
    series.set(name, one);
    one.observe(milliseconds / 1_000);
  };
}
