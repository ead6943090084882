import { setChangeRules } from '../../services/preferences/change.ts';
import { route } from '../http/route.ts';
import { ChangePreferencesRequest } from '../schema/change-rules.ts';
import { changePreferencesFromWire } from '../wire/change-rules.ts';

export const setChangeRoute = route({
  method: 'post',
  path: '/v1/c/preferences/change',
  operationId: 'set_change_preferences',
  tag: 'Preferences',
  summary: 'Update the rules for changes',
  description:
    'They hold for contracts that are signed from now on, where neither the contract nor its plan has a rule for the direction; running contracts keep theirs. Absent directions are not changed, null gives the default again.',
  scope: 'full',
  body: ChangePreferencesRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: [],
  example: { body: { upgrade: { proration: 'difference' }, units_up: { collect: 'next_invoice' } } },
  write: async ({ vendor, body, tx }) => {
    await setChangeRules(tx, vendor, changePreferencesFromWire(body));
    return null;
  },
});
