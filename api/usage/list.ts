import { at } from '../../billing/calendar/instant.ts';
import { eventsOfContract } from '../../db/sql/usage/events-of-contract.ts';
import { type ListedUsage, usageList } from '../../db/sql/usage/list.ts';
import { pageOf } from '../example/page.ts';
import { usageEvents } from '../example/usage.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { UsagePage, UsageSearch } from '../schema/usage.ts';
import { usageToWire } from '../wire/usage.ts';

export const listUsageRoute = route({
  method: 'get',
  path: '/v1/c/usage',
  operationId: 'list_usage',
  tag: 'Usage',
  summary: 'List usage events',
  description: 'In the order of their timestamps; discarded events are marked. `from` includes its instant, `to` does not.',
  scope: 'read',
  query: UsageSearch,
  response: { 200: UsagePage },
  errors: ['invalid_cursor'],
  example: { response: pageOf(usageEvents) },
  run: async ({ vendor, query }, deps) => {
    const { contract, feature } = query;
    const list = usageList(vendor, {
      ...query,
      contract: contract === undefined ? undefined : await eventsOfContract(deps.db, vendor, { contract, feature }),
      from: query.from === undefined ? undefined : at(query.from),
      to: query.to === undefined ? undefined : at(query.to),
    });
    return listPage<ListedUsage, ReturnType<typeof usageToWire>>(deps, 'usage', vendor, list, query, usageToWire);
  },
});
