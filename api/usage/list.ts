import { at } from '../../billing/calendar/instant.ts';
import { clocksOfContracts } from '../../db/sql/contract/clocks-of-contracts.ts';
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
    const { contract, from, to } = query;
    const [place] = contract === undefined ? [] : await clocksOfContracts(deps.db, [{ vendorId: vendor, contractId: contract }]);
    const filter = { ...query, from: from === undefined ? undefined : at(from), to: to === undefined ? undefined : at(to) };
    const list = usageList(vendor, filter, place?.customerId);
    return listPage<ListedUsage, ReturnType<typeof usageToWire>>(deps, 'usage', vendor, list, query, usageToWire);
  },
});
