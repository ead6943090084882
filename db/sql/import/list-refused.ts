import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';

/** The lines that a vendor's import has refused, in the order of the file. SQL, as all list pages are. */
export function refusedLines(vendorId: string, importId: string): List {
  return {
    from: 'import_line own join import on import.id = own.import_id',
    select: 'own.number, own.type, own.code, own.problems',
    at: 'own.number',
    serial: true,
    id: 'own.import_id',
    where: new Where().and('own.import_id = ?', importId).and(`own.outcome = 'refused'`).and('import.vendor_id = ?', vendorId),
  };
}
