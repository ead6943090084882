import type { z } from 'zod';
import type { AuditEntry } from '../schema/audit.ts';
import { exampleDiscountRequest } from './catalogue.ts';
import { exampleId, ids } from './ids.ts';

const byFirstKey = { type: 'key', id: ids.firstKey } as const;

/** What was done with the discount. */
export const exampleAudit = [
  {
    id: exampleId('Audit', 1),
    at: '2026-05-04T09:30:00.000Z',
    actor: byFirstKey,
    action: 'save_discount',
    object: ids.discount,
    before: null,
    after: exampleDiscountRequest,
  },
  {
    id: exampleId('Audit', 2),
    at: '2026-05-04T09:30:00.000Z',
    actor: byFirstKey,
    action: 'archive_discount',
    object: ids.discount,
    before: { status: 'active' },
    after: { status: 'archived' },
  },
] satisfies z.input<typeof AuditEntry>[];
