import { iso } from '../../billing/calendar/instant.ts';
import { exampleKey } from '../example/operating.ts';
import { route } from '../http/route.ts';
import { SessionResponse, SessionStart } from '../schema/operating.ts';

export const startSessionRoute = route({
  method: 'post',
  path: '/v1/c/session',
  operationId: 'start_session',
  tag: 'Keys and sessions',
  summary: 'Start a session for the vendor’s people',
  description: 'Sets the cookie `wb_user` for 12 hours with the scope of the key. Writes by cookie need a same-origin `Origin`.',
  scope: null,
  body: SessionStart,
  response: { 200: SessionResponse },
  unaudited: 'a session does nothing by itself; what is done in it is done by its key',
  errors: ['unauthorized'],
  example: { body: { api_key: exampleKey }, response: { scope: 'full', expires: '2026-05-04T21:30:00.000Z' } },
  run: async ({ body, origin, setHeader }, { authenticator }) => {
    const key = await authenticator.byKey(body.api_key);
    const { cookie, expires } = authenticator.sessionCookie(key.id, origin.startsWith('https:'));
    setHeader('set-cookie', cookie);
    return { scope: key.scope, expires: iso(expires) };
  },
});
