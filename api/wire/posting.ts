import { iso } from '../../billing/calendar/instant.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { ListedPosting } from '../../db/sql/figure/list-postings.ts';

/** A posting as the ledger's list shows it. */
export const postingToWire = ({ transaction_id, at, kind, account, owner, currency, amount, customer_id, invoice_id }: ListedPosting) => ({
  transaction_id,
  at: iso(at),
  ...{ kind, account, owner: owner === '' ? null : owner, currency },
  ...{ amount: moneyText(amount, currency), customer_id, invoice_id },
});
