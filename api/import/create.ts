import { createImport } from '../../services/import/create.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { Nothing } from '../schema/common.ts';
import { ImportId } from '../schema/import.ts';

export const createImportRoute = route({
  method: 'post',
  path: '/v1/c/import',
  operationId: 'create_import',
  tag: 'Customers',
  summary: 'Begin an import of customers',
  description:
    'An import takes the customers of another system over: lines are added to it, a dry run says what they would do, and once started it carries them out by itself.',
  scope: 'full',
  body: Nothing,
  bodyOptional: true,
  response: { 201: ImportId },
  errors: [],
  example: { body: {}, response: ids.import },
  write: ({ vendor, tx }) => createImport(tx, vendor),
});
