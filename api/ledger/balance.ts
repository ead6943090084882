import { iso } from '../../billing/calendar/instant.ts';
import { ledgerBalance } from '../../services/report/balance.ts';
import { instantOfReport } from '../../services/report/instant.ts';
import { figureOwner } from '../../services/report/owner.ts';
import { exampleBalance } from '../example/report.ts';
import { route } from '../http/route.ts';
import { InstantQuery, LedgerBalance } from '../schema/report.ts';

export const ledgerBalanceRoute = route({
  method: 'get',
  path: '/v1/c/ledger/balance',
  operationId: 'get_ledger_balance',
  tag: 'Reports',
  summary: 'Read the balances of the books',
  description: 'What each account held at an instant. The balances of a currency add up to zero at every instant.',
  scope: 'read',
  query: InstantQuery,
  response: { 200: LedgerBalance },
  errors: ['test_clock_not_found'],
  example: { response: exampleBalance },
  run: async ({ vendor, query }, { db }) => {
    const owner = await figureOwner(db, vendor, query.test_clock);
    const at = await instantOfReport(db, owner, query.at);
    return { at: iso(at), accounts: await ledgerBalance(db, owner, at) };
  },
});
