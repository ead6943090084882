import { Migration } from '@mikro-orm/migrations';
import { agendaAndLog } from './initial/agenda-and-log.ts';
import { audit } from './initial/audit.ts';
import { catalogue } from './initial/catalogue.ts';
import { changesOfRows } from './initial/changes.ts';
import { contracts } from './initial/contracts.ts';
import { credits } from './initial/credits.ts';
import { figures } from './initial/figures.ts';
import { imports } from './initial/imports.ts';
import { invoices } from './initial/invoices.ts';
import { ledger } from './initial/ledger.ts';
import { listCounts } from './initial/list-counts.ts';
import { payments } from './initial/payments.ts';
import { planMoves } from './initial/plan-moves.ts';
import { portal } from './initial/portal.ts';
import { usage } from './initial/usage.ts';
import { vendorsAndCustomers } from './initial/vendors-and-customers.ts';
import { wallets } from './initial/wallets.ts';
import { webhooks } from './initial/webhooks.ts';

/**
 * The log comes before the contracts, whose history takes numbers from its sequence; the ledger before credits and
 * payments, which use its trigger; the audit log, the counts of lists and what exports read after the tables that they
 * look at.
 */
const STATEMENTS = [
  vendorsAndCustomers,
  catalogue,
  agendaAndLog,
  contracts,
  planMoves,
  imports,
  usage,
  invoices,
  wallets,
  ledger,
  credits,
  figures,
  payments,
  portal,
  webhooks,
  audit,
  listCounts,
  changesOfRows,
].flat();

export class Initial extends Migration {
  up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}
