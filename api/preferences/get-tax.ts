import { readTax } from '../../services/preferences/tax.ts';
import { exampleTax } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { TaxPreferences } from '../schema/preferences.ts';
import { taxToWire } from '../wire/tax.ts';

export const getTaxRoute = route({
  method: 'get',
  path: '/v1/c/preferences/tax',
  operationId: 'get_tax_preferences',
  tag: 'Preferences',
  summary: 'Read the tax preferences',
  description: 'Rates, policy and seller, in the shape of the update, so that they can be changed and sent back.',
  scope: 'read',
  response: { 200: TaxPreferences },
  errors: [],
  example: { response: exampleTax },
  run: async ({ vendor }, { db }) => taxToWire(await readTax(db.em(), vendor)),
});
