import type Koa from 'koa';
import type { ApiDependencies } from '../../../api/http/dependencies.ts';
import { readyz } from '../../../api/http/health.ts';

describe('/readyz', () => {
  it('is ready where Postgres answers and what is overdue can not be counted', async () => {
    const here = async () => true;
    const query = async (sql: string) => {
      if (sql.includes('agenda')) throw new Error('canceling statement due to statement timeout');
      return [];
    };
    const orm = { migrator: { getPending: async () => [] } };
    const deps = { db: { query, orm }, health: { temporal: here, hasWorker: here } } as unknown as ApiDependencies;
    const context = { set: () => undefined } as unknown as Koa.Context;
    await readyz(deps)(context);
    expect([context.status, context.body]).toMatchObject([200, { status: 'ready', agenda: { overdue: null } }]);
  });

  it('checks once for all requests at the same time, and again for later ones', async () => {
    let looks = 0;
    const away = async (): Promise<never> => {
      looks += 1;
      throw new Error('away');
    };
    const nobody = async () => false;
    const deps = { db: { query: away }, health: { temporal: nobody, hasWorker: nobody } } as unknown as ApiDependencies;
    const ready = readyz(deps);
    const ask = async () => {
      const context = { set: () => undefined } as unknown as Koa.Context;
      await ready(context);
      return [context.status, (context.body as { status: string }).status];
    };
    const responses = await Promise.all(Array.from({ length: 50 }, ask));
    expect(new Set(responses.map(String))).toEqual(new Set(['503,not_ready']));
    expect(looks).toBe(1);
    await ask();
    expect(looks).toBe(2);
  });
});
