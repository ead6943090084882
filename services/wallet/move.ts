import type { Instant } from '../../billing/calendar/instant.ts';
import { settle } from '../../billing/invoice/settlement.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable, Row } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { walletEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';

/** An invoice the wallet may pay: one that is about to be written, or one that stands in the database. */
interface Payable {
  id: string;
  date: Instant;
  dueDate: Instant;
  remaining: string;
}

/** Money that comes into a wallet, once per occasion. */
interface WalletCredit {
  amount: string;
  description: string;
  invoiceId: string | null;
  kind: 'credit' | 'grant' | 'refund';
  occasion: string;
  at: Instant;
}

/** What happens to one wallet in a transaction: money comes in, then open invoices are paid. */
export interface WalletTask {
  vendorId: string;
  customerId: string;
  currency: Currency;
  at: Instant;
  credits: WalletCredit[];
  /** invoices about to be written in the same transaction */
  drafts: Payable[];
  /** false while the customer is frozen: money comes in, nothing is collected */
  pays: boolean;
}

export interface WalletPaid {
  invoiceId: string;
  customerId: string;
  currency: Currency;
  amount: string;
  remaining: string;
  at: Instant;
  /** the movement in the wallet */
  transactionId: string;
}

interface WalletState {
  id: string;
  vendor_id: string;
  customer_id: string;
  currency: Currency;
  balance: string;
}

/**
 * Moves the money of many wallets. Credits first, then the wallet pays what is open in its currency: oldest due first, in part if need be.
 * Rows are held by wallet id, so two transactions never wait for each other in a ring. Open invoices that stand in the database are
 * brought up to date here; payments of drafts are only reported, the drafts are written by the caller.
 */
export async function moveWallets(tx: Queryable, tasks: readonly WalletTask[]): Promise<WalletPaid[]> {
  const wallets = await lockWallets(tx, tasks);
  const movements: Movement[] = [];
  const paid: WalletPaid[] = [];
  for (const task of tasks) {
    const wallet = wallets.get(keyOf(task.customerId, task.currency));
    if (wallet === undefined) continue;
    movements.push(...creditWallet(wallet, task));
    if (!task.pays || !dec(wallet.balance).gt(0)) continue;
    for (const payment of payOpen(wallet, task, await openInvoices(tx, task))) {
      paid.push(payment.paid);
      movements.push(payment.movement);
    }
  }
  await writeMovements(tx, movements, [...wallets.values()]);
  return paid;
}

const keyOf = (customerId: string, currency: string): string => `${customerId} ${currency}`;

async function lockWallets(tx: Queryable, tasks: readonly WalletTask[]): Promise<Map<string, WalletState>> {
  if (tasks.length === 0) return new Map();
  const gaining = tasks.filter((task) => task.credits.length > 0);
  await insertRows(
    tx,
    'wallet',
    gaining.map((task) => ({
      id: newId('Wall'),
      vendor_id: task.vendorId,
      customer_id: task.customerId,
      currency: task.currency,
      balance: '0',
    })),
    'on conflict (customer_id, currency) do nothing',
  );
  const rows = await tx.query<WalletState>(
    `select id, vendor_id, customer_id, currency, balance from wallet
     where (customer_id, currency) in (select * from unnest($1::text[], $2::text[])) order by id for update`,
    [tasks.map((task) => task.customerId), tasks.map((task) => task.currency)],
  );
  return new Map(rows.map((row) => [keyOf(row.customer_id, row.currency), row]));
}

function creditWallet(wallet: WalletState, task: WalletTask): Movement[] {
  return task.credits.map((credit) => {
    wallet.balance = moneyText(dec(wallet.balance).plus(dec(credit.amount)), task.currency);
    return movement(wallet, { ...credit, id: newId('Txn') });
  });
}

/** Invoices of the database the wallet may pay; one with a payment under way is left to that payment. */
function openInvoices(tx: Queryable, task: WalletTask): Promise<{ id: string; date: Instant; due_date: Instant; amount_due: string }[]> {
  return tx.query(
    `select id, date, due_date, amount_due from invoice
     where customer_id = $1 and currency = $2 and status = 'ready_for_payment' and amount_due > 0 and deposit_transaction_status <> 'processing'
     order by id for update`,
    [task.customerId, task.currency],
  );
}

function payOpen(
  wallet: WalletState,
  task: WalletTask,
  open: Awaited<ReturnType<typeof openInvoices>>,
): { paid: WalletPaid; movement: Movement }[] {
  const stored = open.map((row) => ({ id: row.id, date: row.date, dueDate: row.due_date, remaining: row.amount_due }));
  const { payments } = settle(wallet.balance, [...stored, ...task.drafts], task.currency);
  return payments.map(({ invoiceId, amount, remaining }) => {
    const transactionId = newId('Txn');
    wallet.balance = moneyText(dec(wallet.balance).minus(dec(amount)), task.currency);
    const negative = moneyText(dec(amount).neg(), task.currency);
    const occasion = `payment:${invoiceId}:${transactionId}`;
    const description = 'Payment of an invoice';
    return {
      paid: { invoiceId, customerId: task.customerId, currency: task.currency, amount, remaining, at: task.at, transactionId },
      movement: movement(wallet, { id: transactionId, amount: negative, description, invoiceId, kind: 'payment', occasion, at: task.at }),
    };
  });
}

interface Movement {
  wallet: WalletState;
  at: Instant;
  row: { id: string; amount: string; invoice_id: string | null; kind: string } & Row;
}

type Moved = Omit<WalletCredit, 'kind'> & { id: string; kind: string };

function movement(wallet: WalletState, { id, amount, description, invoiceId, kind, occasion, at }: Moved): Movement {
  const after = { wallet_id: wallet.id, balance_after: wallet.balance };
  return { wallet, at, row: { ...after, id, amount, description, invoice_id: invoiceId, at: stamp(at), kind, occasion } };
}

/** The movement, its ledger transaction of the same id, and the balance. */
async function writeMovements(tx: Queryable, movements: readonly Movement[], wallets: readonly WalletState[]): Promise<void> {
  if (movements.length === 0) return;
  await insertRows(
    tx,
    'wallet_transaction',
    movements.map(({ row }) => row),
  );
  await post(
    tx,
    movements.map(({ wallet, at, row }) => {
      const { vendor_id: vendorId, customer_id: customerId, currency } = wallet;
      return walletEntry(
        { id: row.id, vendorId, customerId, currency, occasion: row.id, invoiceId: row.invoice_id, at },
        row.kind,
        row.amount,
      );
    }),
  );
  await tx.query(`update wallet set balance = x.balance from unnest($1::text[], $2::numeric[]) as x(id, balance) where wallet.id = x.id`, [
    wallets.map((wallet) => wallet.id),
    wallets.map((wallet) => wallet.balance),
  ]);
}
