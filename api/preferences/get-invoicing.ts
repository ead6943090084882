import { readInvoicing, readNumberFormat } from '../../services/preferences/invoicing.ts';
import { exampleInvoicing } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { InvoicingPreferences } from '../schema/preferences.ts';
import { preferencesToWire } from '../wire/configuration.ts';

export const getInvoicingRoute = route({
  method: 'get',
  path: '/v1/c/preferences/invoicing',
  operationId: 'get_invoicing_preferences',
  tag: 'Preferences',
  summary: 'Read the invoicing preferences',
  description: 'Defaults for contracts when they are signed. Running contracts keep the values from their signing.',
  scope: 'read',
  response: { 200: InvoicingPreferences },
  errors: [],
  example: { response: exampleInvoicing },
  run: async ({ vendor }, { db }) => {
    const em = db.em();
    return preferencesToWire(await readInvoicing(em, vendor), await readNumberFormat(em, vendor));
  },
});
