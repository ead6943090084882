import { endedCookie } from '../http/authenticate.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';

export const endSession = route({
  method: 'post',
  path: '/v1/c/session/end',
  operationId: 'end_session',
  tag: 'Keys and sessions',
  summary: 'End a session',
  description: 'Clears the cookie `wb_user`; without one nothing happens.',
  scope: null,
  body: Nothing,
  bodyOptional: true,
  answer: { 200: null },
  errors: [],
  example: { body: {} },
  run: async ({ origin, setHeader }) => {
    setHeader('set-cookie', endedCookie(origin.startsWith('https:')));
    return null;
  },
});
