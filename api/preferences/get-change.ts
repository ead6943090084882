import { readChangeRules } from '../../services/preferences/change.ts';
import { exampleChangeRules } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { ChangePreferences } from '../schema/change-rules.ts';
import { changeRulesToWire } from '../wire/change-rules.ts';

export const getChangeRoute = route({
  method: 'get',
  path: '/v1/c/preferences/change',
  operationId: 'get_change_preferences',
  tag: 'Preferences',
  summary: 'Read the rules for changes',
  description:
    'When a change takes effect, how it is charged and collected, by its direction. A plan and a contract may have rules of their own.',
  scope: 'read',
  response: { 200: ChangePreferences },
  errors: [],
  example: { response: { ...exampleChangeRules, change_rules: exampleChangeRules } },
  run: async ({ vendor }, { db }) => {
    const rules = changeRulesToWire({ vendor: await readChangeRules(db.em(), vendor) });
    return { ...rules, change_rules: rules };
  },
});
