import { changeTax } from '../../services/preferences/tax.ts';
import { exampleTax } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { TaxRequest } from '../schema/preferences.ts';
import { taxFromWire } from '../wire/tax.ts';

export const setTaxRoute = route({
  method: 'post',
  path: '/v1/c/preferences/tax',
  operationId: 'set_tax_preferences',
  tag: 'Preferences',
  summary: 'Update the tax preferences',
  description:
    'Rates, policy and seller; absent fields are not changed, rates are replaced as a whole. The most specific rate by tax code, country and state wins; without a rate there is no tax.',
  scope: 'full',
  body: TaxRequest,
  response: { 200: null },
  errors: [],
  example: { body: exampleTax },
  write: async ({ vendor, body, tx }) => {
    await changeTax(tx, vendor, taxFromWire(body));
    return null;
  },
});
