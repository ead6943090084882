import { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import { readTimeline } from '../../db/sql/contract/timeline.ts';
import { exampleTimeline } from '../example/contract.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ContractId } from '../schema/common.ts';
import { MOST_ENTRIES, Timeline, TimelineQuery } from '../schema/timeline.ts';
import { timelineToWire } from '../wire/timeline.ts';

export const contractTimelineRoute = route({
  method: 'get',
  path: '/v1/c/contract/{contract_id}/timeline',
  operationId: 'get_contract_timeline',
  tag: 'Contracts',
  summary: 'What happened to a contract and what happens next',
  description:
    'Periods, invoices, payments and changes so far, and what is due next, with its instant. `parked_reason` says why a contract does not go on. A long past is given in pages, the newest first: pass `earlier` as `before` to read the page before.',
  scope: 'read',
  params: z.object({ contract_id: ContractId }),
  query: TimelineQuery,
  response: { 200: Timeline },
  errors: ['contract_not_found'],
  example: { response: exampleTimeline },
  run: async ({ vendor, params, query }, { db }) => {
    const page = { before: query.before === undefined ? null : at(query.before), most: query.limit ?? MOST_ENTRIES };
    const timeline = await readTimeline(db, vendor, params.contract_id, page);
    if (timeline === null) throw new Problem('contract_not_found');
    return timelineToWire(timeline);
  },
});
