import { isFromOurPage } from '../../portal/http/csrf.ts';
import { endSession } from '../../services/vendor-account/end-session.ts';
import { endedCookie, sessionFrom } from '../http/authenticate.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';

export const endSessionRoute = route({
  method: 'post',
  path: '/v1/c/session/end',
  operationId: 'end_session',
  tag: 'Keys and sessions',
  summary: 'End a session',
  description:
    'Ends the session of the cookie `wb_user` for every copy of that cookie, and clears it; without a cookie nothing happens. A page of another origin ends nothing.',
  scope: null,
  body: Nothing,
  bodyOptional: true,
  response: { 200: null },
  unaudited: 'a session does nothing by itself; what is done in it is done by its key',
  errors: ['origin_refused'],
  example: { body: {} },
  run: async ({ origin, header, setHeader }, { authenticator, db }) => {
    // the cleared cookie would be kept also where the browser has sent none, so this is asked first
    if (!isFromOurPage({ get: header }, origin)) throw new Problem('origin_refused');
    const session = authenticator.sessionOf(sessionFrom(header('cookie')));
    if (session !== null) await db.transaction((tx) => endSession(tx, session));
    setHeader('set-cookie', endedCookie(origin.startsWith('https:')));
    return null;
  },
});
