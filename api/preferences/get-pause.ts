import { readPauseRules } from '../../services/preferences/pause.ts';
import { examplePauseRules } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { PausePreferences } from '../schema/pause-rules.ts';
import { pauseRulesToWire } from '../wire/pause-rules.ts';

export const getPauseRoute = route({
  method: 'get',
  path: '/v1/c/preferences/pause',
  operationId: 'get_pause_preferences',
  tag: 'Preferences',
  summary: 'Read the rules for freezes',
  description:
    'When a freeze ends by itself, and what it means for usage, trial, expiration and discount. A plan may have rules of its own.',
  scope: 'read',
  response: { 200: PausePreferences },
  errors: [],
  example: { response: { ...examplePauseRules, pause_rules: examplePauseRules } },
  run: async ({ vendor }, { db }) => {
    const rules = pauseRulesToWire({ vendor: await readPauseRules(db.em(), vendor) });
    return { ...rules, pause_rules: rules };
  },
});
