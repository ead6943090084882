import { VendorsAndCustomers } from './0001-vendors-and-customers.ts';
import { CatalogueAndContracts } from './0002-catalogue-and-contracts.ts';
import { UsageAndInvoices } from './0003-usage-and-invoices.ts';
import { AgendaAndLog } from './0004-agenda-and-log.ts';
import { Ledger } from './0010-ledger.ts';
import { Payments } from './0011-payments.ts';
import { CustomerSearch } from './0012-customer-search.ts';
import { WishTries } from './0013-wish-tries.ts';
import { EffectOfAClaim } from './0014-effect-of-a-claim.ts';
import { HistoryInTheLog } from './0015-history-in-the-log.ts';
import { BalancePerStatement } from './0016-balance-per-statement.ts';

/** In the order they run. A new table brings its own file here; one that has been released never changes. */
export const migrations = [
  { name: '0001-vendors-and-customers', class: VendorsAndCustomers },
  { name: '0002-catalogue-and-contracts', class: CatalogueAndContracts },
  { name: '0003-usage-and-invoices', class: UsageAndInvoices },
  { name: '0004-agenda-and-log', class: AgendaAndLog },
  { name: '0010-ledger', class: Ledger },
  { name: '0011-payments', class: Payments },
  { name: '0012-customer-search', class: CustomerSearch },
  { name: '0013-wish-tries', class: WishTries },
  { name: '0014-effect-of-a-claim', class: EffectOfAClaim },
  { name: '0015-history-in-the-log', class: HistoryInTheLog },
  { name: '0016-balance-per-statement', class: BalancePerStatement },
];
