import { setPauseRules } from '../../services/preferences/pause.ts';
import { route } from '../http/route.ts';
import { PausePreferencesRequest } from '../schema/pause-rules.ts';
import { pausePreferencesFromWire } from '../wire/pause-rules.ts';

export const setPauseRoute = route({
  method: 'post',
  path: '/v1/c/preferences/pause',
  operationId: 'set_pause_preferences',
  tag: 'Preferences',
  summary: 'Update the rules for freezes',
  description:
    'They hold for contracts that are signed from now on, where their plan has no such rule; running contracts keep theirs. Absent rules are not changed, null gives the default again.',
  scope: 'full',
  body: PausePreferencesRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: [],
  example: { body: { resume_after_days: 30, usage: 'hold', expiration: 'run_on' } },
  write: async ({ vendor, body, tx }) => {
    await setPauseRules(tx, vendor, pausePreferencesFromWire(body));
    return null;
  },
});
