import { hasAuditEntry } from '../../db/audit/exists.ts';
import { auditList, type ListedAudit } from '../../db/sql/audit/list.ts';
import { settledSeq } from '../../services/webhook/settled.ts';
import { exampleAudit } from '../example/audit.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { AuditPage, AuditSearch } from '../schema/audit.ts';
import { auditToWire } from '../wire/audit.ts';

export const listAuditRoute = route({
  method: 'get',
  path: '/v1/c/audit',
  operationId: 'list_audit',
  tag: 'Events',
  summary: 'List who changed what',
  description:
    'The audit log, in the order of writing: each call that has changed something, in the transaction of what it changed, and what time brought by itself. It is kept for ever, and nobody can change it; an erasure replaces what is personal.',
  scope: 'read',
  query: AuditSearch,
  response: { 200: AuditPage },
  errors: ['invalid_cursor', 'audit_entry_not_found'],
  example: { response: pageOf(exampleAudit) },
  run: async ({ vendor, query }, deps) => {
    if (query.after !== undefined && !(await hasAuditEntry(deps.db.em(), vendor, query.after))) throw new Problem('audit_entry_not_found');
    const list = auditList(vendor, await settledSeq(deps.db, vendor), query);
    return listPage<ListedAudit, ReturnType<typeof auditToWire>>(deps, 'audit', vendor, list, query, auditToWire);
  },
});
