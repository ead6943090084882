import { contractList, type ListedContractRow, toListed } from '../../db/sql/contract/list.ts';
import { liveSummary, movedSummary } from '../example/contract.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { ContractPage, ContractSearch } from '../schema/contract.ts';
import { summaryToWire } from '../wire/contract.ts';

export const listContractsRoute = route({
  method: 'get',
  path: '/v1/c/contract',
  operationId: 'list_contracts',
  tag: 'Contracts',
  summary: 'List contracts',
  description:
    'Oldest first, in the same shape as in a customer; a contract must match all given filters. Scheduled, moved and canceled ones are included. As committed: where a timer is late, reading a contract or a customer tells how it stands now.',
  scope: 'read',
  query: ContractSearch,
  response: { 200: ContractPage },
  errors: ['invalid_cursor'],
  example: { response: pageOf([movedSummary, liveSummary]) },
  run: ({ vendor, query }, deps) =>
    listPage<ListedContractRow, ReturnType<typeof toWire>>(deps, 'contract', vendor, contractList(vendor, query), query, toWire),
});

const toWire = (row: ListedContractRow) => {
  const { contract, customerName, pauses } = toListed(row);
  return summaryToWire(contract, { name: customerName, pauses });
};
