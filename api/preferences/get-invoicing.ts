import { readInvoicing } from '../../db/preferences/invoicing.ts';
import { route } from '../http/route.ts';
import { presentConfiguration } from '../present/configuration.ts';
import { Configuration } from '../schema/preferences.ts';

export const getInvoicing = route({
  method: 'get',
  path: '/v1/c/preferences/invoicing',
  operationId: 'get_invoicing_preferences',
  tag: 'Preferences',
  summary: 'Read the invoicing preferences',
  scope: 'read',
  answer: { 200: Configuration },
  errors: [],
  example: {},
  run: async ({ vendor }, { db }) => presentConfiguration(await readInvoicing(db, vendor)),
});
