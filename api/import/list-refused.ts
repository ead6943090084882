import { z } from 'zod';
import { Import as ImportEntity } from '../../db/entities/import.ts';
import { refusedLines } from '../../db/sql/import/list-refused.ts';
import type { RefusedLine } from '../../services/import/dry-run.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ImportId, RefusedLinePage } from '../schema/import.ts';
import { PageQuery } from '../schema/paging.ts';
import { refusedLineToWire } from '../wire/import.ts';

export const listRefusedLinesRoute = route({
  method: 'get',
  path: '/v1/c/import/{import_id}/refused',
  operationId: 'list_refused_of_import',
  tag: 'Customers',
  summary: 'List the lines that an import has refused',
  description: 'In the order of the file, each with what to correct.',
  scope: 'read',
  params: z.object({ import_id: ImportId }),
  query: PageQuery,
  response: { 200: RefusedLinePage },
  errors: ['import_not_found', 'invalid_cursor'],
  example: { response: pageOf([]) },
  run: async ({ vendor, params: { import_id }, query }, deps) => {
    const own = await deps.db.em().findOne(ImportEntity, { id: import_id, vendorId: vendor }, { fields: ['id'] });
    if (own === null) throw new Problem('import_not_found');
    const list = refusedLines(vendor, import_id);
    return listPage<RefusedLine, ReturnType<typeof refusedLineToWire>>(
      deps,
      `refused:${import_id}`,
      vendor,
      list,
      query,
      refusedLineToWire,
    );
  },
});
