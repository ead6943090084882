import type { Middleware } from '../context.ts';
import { Problem } from '../problem.ts';

/** What no route took: 405 with the methods of the path's own routes, or 404. */
export const notFound: Middleware = (ctx) => {
  const methods = (ctx.matched ?? []).flatMap((layer) => layer.methods);
  if (methods.length === 0) throw new Problem('not_found');
  const allow = allowed(methods);
  throw new Problem('method_not_allowed', `Use ${allow.join(' or ')} here, not ${ctx.method}.`, { headers: { allow: allow.join(', ') } });
};

/** Puts HEAD last: the router lists it before GET, for which it was added. */
const allowed = (methods: string[]): string[] => [
  ...methods.filter((one) => one !== 'HEAD'),
  ...(methods.includes('HEAD') ? ['HEAD'] : []),
];
