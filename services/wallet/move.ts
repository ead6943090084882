import type { Instant } from '../../billing/calendar/instant.ts';
import { type InvoiceTurn, oldestDueFirst, settle } from '../../billing/invoice/settlement.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import { insertMovements, type NewMovement } from '../../db/sql/wallet/insert-movements.ts';
import { hasMoreOpen, lockNamedInvoices, lockOpenInvoices, type PayingOwner } from '../../db/sql/wallet/lock-open-invoices.ts';
import { openWallets } from '../../db/sql/wallet/open-wallets.ts';
import type { LockedWallet } from '../../db/sql/wallet/read-balances.ts';
import { setBalances } from '../../db/sql/wallet/set-balances.ts';
import { together } from '../../db/together.ts';
import { lockMoney, type MoneyOwner } from '../../db/wallet/lock-money.ts';
import { someEnded } from '../credit/rollover.ts';
import { type CreditPaid, type CreditTask, payByGrants } from '../credit/use.ts';
import { walletEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import type { CreditHold } from '../payment-gate/collectable.ts';
import { leaveRest } from './rest.ts';

/** The most open invoices of a customer and currency that one transaction offers to its grants and its wallet. */
export const OFFERED_AT_ONCE = 200;

/** An invoice the wallet may pay: one that is about to be written, or one in the database. */
interface Payable {
  id: string;
  date: Instant;
  dueDate: Instant;
  remaining: string;
  /** of one that is about to be written: its lines, which are written already */
  lineIds?: readonly string[];
}

/** Money that comes into a wallet, once per occasion. */
interface WalletCredit {
  amount: string;
  description: string;
  invoiceId: string | null;
  kind: 'credit' | 'grant' | 'opening' | 'refund';
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
  newInvoices: Payable[];
  /** false while the customer is frozen: money comes in, nothing is collected */
  pays: boolean;
  /** bought credits that are granted with its new invoices: what is open is offered again from the beginning */
  gains?: boolean;
  /** nothing has happened: it goes on behind the invoice that the transaction before this one has ended with */
  goesOn?: boolean;
  /**
   * nothing has happened but that this invoice in the database may be paid now. Where more are open than one
   * transaction offers, it is offered alone: the others were offered before
   */
  about?: string;
  /** of a payment gate: this much pays the new invoices, and nothing else is paid; absent: all that isn't held pays */
  only?: string;
  /** of a payment gate: what it has held of each grant */
  onlyHolds?: readonly CreditHold[];
}

export interface WalletPaid {
  invoiceId: string;
  customerId: string;
  currency: Currency;
  /** what is left to pay of it */
  remaining: string;
  at: Instant;
  /** the movement in the wallet, or of the grant */
  transactionId: string;
}

/**
 * Lets prepaid credits and wallets pay. Money comes into the wallets first; then grants pay what is open in their
 * currency and lies in their life, then the wallet pays: oldest due first, in part if need be. Payments are only
 * reported, at most one for each invoice, with what both leave of it: the caller brings invoices of the database up to
 * date, and writes new ones with what remains of them.
 *
 * Of many open invoices of a customer it offers those that are due first, and leaves the rest to the customer's
 * workflow: the wallet says behind which one it begins, and until it has come to the end nothing else collects any of
 * them.
 *
 * @param lastOn where credits end in the same transaction: what of them goes on pays with the others, before wallets
 */
export async function moveWallets(tx: Tx, tasks: readonly WalletTask[], lastOn?: LastOn): Promise<WalletPaid[]> {
  const money = await lockForTasks(tx, tasks);
  const open = await lockOpen(tx, tasks, money);
  const given = tasks.map((task) => inTurn(open, task));
  const paid = new Map<string, WalletPaid>();
  if (lastOn !== undefined) await payByEnded(tx, { tasks: given, money, open, paid }, lastOn);
  const tasksLeft = given.map((task) => afterGrants(task, paid));
  const withCredits = withGrants(tasksLeft, money, (task) => leftOf(openOf(open, task), paid));
  const byGrants = withCredits.length === 0 ? [] : await payByGrants(tx, withCredits);
  for (const payment of byGrants) paid.set(payment.invoiceId, paidByGrant(payment));
  const movements: Movement[] = [];
  for (const task of given.map((one) => afterGrants(one, paid))) {
    const wallet = money.wallets.get(keyOf(task));
    if (wallet === undefined) continue;
    movements.push(...creditWallet(wallet, task));
    const free = task.only ?? freeOf(wallet);
    if (!task.pays || !dec(free).gt(0)) continue;
    for (const payment of payOpen(wallet, task, free, leftOf(openOf(open, task), paid))) {
      paid.set(payment.paid.invoiceId, payment.paid);
      movements.push(payment.movement);
    }
  }
  const moved = passOn(given, money, open);
  await writeMovements(tx, movements, [...money.wallets.values()], moved);
  const resting = moved.filter(({ paysAfter }) => paysAfter !== null);
  if (resting.length > 0) await leaveRest(tx, resting);
  return [...paid.values()];
}

/**
 * Lets credits expire that have paid what they could.
 *
 * @returns the grants as which they go on
 */
export type LastOn = (owners: readonly MoneyOwner[]) => Promise<readonly OpenGrant[]>;

/**
 * Where credits end of which a part rolls over, all credits pay first what was charged up to that end; then those end,
 * and the grants as which they go on take their place. While more open invoices are to be offered, none of their
 * customer ends.
 */
async function payByEnded(
  tx: Tx,
  { tasks, money: { grants }, open, paid }: { tasks: readonly WalletTask[]; money: Money; open: Open; paid: Map<string, WalletPaid> },
  lastOn: LastOn,
): Promise<void> {
  const rolling = tasks.flatMap((task) => {
    const some = someEnded(grants.get(keyOf(task)) ?? [], task.at);
    const isOffered = task.pays && task.only === undefined && (offerTo(open, task)?.upTo ?? null) === null;
    return some !== null && isOffered ? [{ task, ...some }] : [];
  });
  if (rolling.length === 0) return;
  const first = rolling.flatMap(({ task, until }) =>
    withGrants([task], { grants }, () => openOf(open, task)).map((one) => ({ ...one, before: until })),
  );
  for (const payment of await payByGrants(tx, first)) paid.set(payment.invoiceId, paidByGrant(payment));
  const goOn = Map.groupBy(await lastOn(rolling.map(({ task }) => task)), keyOf);
  for (const { task, others } of rolling) grants.set(keyOf(task), [...others, ...(goOn.get(keyOf(task)) ?? [])]);
}

const paidByGrant = ({ task: { customerId, currency, at }, ...payment }: CreditPaid): WalletPaid => ({
  ...payment,
  customerId,
  currency,
  at,
});

/** What grants have left to pay. */
function leftOf<T extends Payable>(invoices: readonly T[], paid: ReadonlyMap<string, WalletPaid>): T[] {
  return invoices.map((one) => ({ ...one, remaining: paid.get(one.id)?.remaining ?? one.remaining }));
}

const afterGrants = (task: WalletTask, paid: ReadonlyMap<string, WalletPaid>): WalletTask =>
  paid.size === 0 ? task : { ...task, newInvoices: leftOf(task.newInvoices, paid) };

/** The tasks of customers who have credits that may pay now, with the invoices that they may pay. */
function withGrants(
  tasks: readonly WalletTask[],
  { grants }: Pick<Money, 'grants'>,
  openOfTask: (task: WalletTask) => readonly Payable[],
): CreditTask[] {
  return tasks.flatMap((task) => {
    const own = grants.get(keyOf(task));
    const open = openOfTask(task);
    return own !== undefined && task.pays && open.length + task.newInvoices.length > 0 ? [{ task, grants: own, open }] : [];
  });
}

/** What of a wallet or a grant no payment gate holds. */
const freeOf = ({ balance, held, currency }: Pick<OpenGrant, 'balance' | 'held' | 'currency'>): string =>
  moneyText(dec(balance).minus(dec(held)), currency);

const keyOf = ({ customerId, currency }: MoneyOwner): string => `${customerId} ${currency}`;

/** What is locked for tasks, by customer and currency. */
interface Money {
  wallets: Map<string, LockedWallet>;
  grants: Map<string, OpenGrant[]>;
}

/**
 * Makes the wallets that are missing, and locks wallets and grants in one round trip. Also those that only pay: without
 * a row to lock, an invoice and the first money that comes into the wallet at the same moment would miss each other.
 */
async function lockForTasks(tx: Queryable, tasks: readonly WalletTask[]): Promise<Money> {
  if (tasks.length === 0) return { wallets: new Map(), grants: new Map() };
  const [, { wallets, grants }] = await together(tx, [() => openWallets(tx, tasks), () => lockMoney(tx, tasks)]);
  return { wallets: new Map(wallets.map((wallet) => [keyOf(wallet), wallet])), grants: Map.groupBy(grants, keyOf) };
}

/** The invoices in the database that are offered to a customer's grants and wallet, the oldest due first. */
interface Offer {
  invoices: readonly Payable[];
  /** the last of them where more are open: what is due behind it has to wait for its turn */
  upTo: InvoiceTurn | null;
}

type Open = ReadonlyMap<string, Offer>;

/** A customer with something to pay open invoices with. */
interface Payer extends PayingOwner {
  /** where more are open, the rest is left to the customer's workflow */
  inSteps: boolean;
  /** the only invoices that are meant where more are open; null: all of them */
  about: readonly string[] | null;
}

/**
 * Locks the invoices in the database that tasks may pay: of customers with credits those that are due first, of those
 * with money as many of them as that pays.
 */
async function lockOpen(tx: Queryable, tasks: readonly WalletTask[], money: Money): Promise<Open> {
  const payers = new Map([...Map.groupBy(tasks, keyOf)].flatMap(([key, own]) => payerOf(own, key, money)));
  const open = new Map<string, Offer>();
  for (const [key, { about, ...owner }] of payers) {
    if (about !== null && (await hasMoreOpen(tx, owner, OFFERED_AT_ONCE)))
      open.set(key, await offerAlone(tx, about, money.wallets.get(key)));
  }
  const others = [...payers].filter(([key]) => !open.has(key));
  const found = Map.groupBy(
    await lockOpenInvoices(
      tx,
      others.map(([, payer]) => payer),
      OFFERED_AT_ONCE + 1,
    ),
    keyOf,
  );
  for (const [key, invoices] of found) open.set(key, offerOf(invoices, payers.get(key)?.inSteps ?? false));
  return open;
}

function payerOf(tasks: readonly WalletTask[], key: string, { wallets, grants }: Money): [string, Payer][] {
  const [first] = tasks;
  if (first === undefined || !tasks.some(({ pays, only }) => pays && only === undefined)) return [];
  const { customerId, currency } = first;
  const wallet = wallets.get(key);
  const gained = tasks.flatMap(({ credits }) => credits.map(({ amount }) => dec(amount)));
  const money = sum([dec(wallet === undefined ? '0' : freeOf(wallet)), ...gained]);
  const isAgain = tasks.some(beginsAgain);
  const after = isAgain ? null : (wallet?.paysAfter ?? null);
  // credits have been offered all that is open, so new invoices alone begin no steps over it
  const inSteps = money.gt(0) || after !== null || isAgain;
  const named = tasks.flatMap(({ about }) => about ?? []);
  const payer = { customerId, currency, after, inSteps, about: named.length === tasks.length ? named : null };
  if (grants.has(key)) return [[key, { ...payer, money: null }]];
  return money.gt(0) ? [[key, { ...payer, money: money.toFixed() }]] : [];
}

/** Of a wallet that has yet to pay open invoices, one behind the place that it has come to is paid in its turn. */
async function offerAlone(tx: Queryable, ids: readonly string[], wallet: LockedWallet | undefined): Promise<Offer> {
  const paysAfter = wallet?.paysAfter ?? null;
  const invoices = (await lockNamedInvoices(tx, ids)).filter((one) => paysAfter === null || oldestDueFirst(one, paysAfter) <= 0);
  return { invoices: invoices.toSorted(oldestDueFirst), upTo: null };
}

function offerOf(open: readonly Payable[], inSteps: boolean): Offer {
  const invoices = open.toSorted(oldestDueFirst).slice(0, OFFERED_AT_ONCE);
  return { invoices, upTo: inSteps && open.length > OFFERED_AT_ONCE ? (invoices.at(-1) ?? null) : null };
}

/** Whether what is open has to be offered from the beginning: there may be more to pay it with, or more of it. */
const beginsAgain = ({ credits, newInvoices, gains = false, goesOn = false }: WalletTask): boolean =>
  gains || credits.length > 0 || (newInvoices.length === 0 && !goesOn);

/** A payment gate pays nothing but what it was opened for. */
const offerTo = (open: Open, task: WalletTask): Offer | undefined => (task.only === undefined ? open.get(keyOf(task)) : undefined);

const openOf = (open: Open, task: WalletTask): readonly Payable[] => offerTo(open, task)?.invoices ?? [];

/** A new invoice that is due behind what is offered is paid in its turn, once it is in the database. */
function inTurn(open: Open, task: WalletTask): WalletTask {
  const upTo = offerTo(open, task)?.upTo ?? null;
  return upTo === null ? task : { ...task, newInvoices: task.newInvoices.filter((one) => oldestDueFirst(one, upTo) <= 0) };
}

/**
 * Notes on wallets behind which invoice they go on. Only the step that has come to the end takes that off again: it
 * also plans what is to be collected otherwise.
 *
 * @returns those that are to be written
 */
function passOn(tasks: readonly WalletTask[], { wallets, grants }: Money, open: Open): LockedWallet[] {
  return [...Map.groupBy(tasks, keyOf)].flatMap(([key, own]) => {
    const wallet = wallets.get(key);
    if (wallet === undefined) return [];
    const upTo = own.some(({ only }) => only === undefined) ? (open.get(key)?.upTo ?? null) : null;
    const isLeft = [wallet, ...(grants.get(key) ?? [])].some((one) => dec(freeOf(one)).gt(0));
    const goesOn = upTo !== null && isLeft;
    if (!goesOn && !own.some((task) => task.goesOn)) return [];
    wallet.paysAfter = goesOn ? { id: upTo.id, date: upTo.date, dueDate: upTo.dueDate } : null;
    return [wallet];
  });
}

function creditWallet(wallet: LockedWallet, task: WalletTask): Movement[] {
  return task.credits.map((credit) => {
    wallet.balance = moneyText(dec(wallet.balance).plus(dec(credit.amount)), task.currency);
    return movement(wallet, { ...credit, id: newId('Txn') });
  });
}

function payOpen(
  wallet: LockedWallet,
  task: WalletTask,
  free: string,
  open: readonly Payable[],
): { paid: WalletPaid; movement: Movement }[] {
  const { payments } = settle(free, [...open, ...task.newInvoices], task.currency);
  return payments.map(({ invoiceId, amount, remaining }) => {
    const transactionId = newId('Txn');
    wallet.balance = moneyText(dec(wallet.balance).minus(dec(amount)), task.currency);
    const negative = moneyText(dec(amount).neg(), task.currency);
    const occasion = `payment:${invoiceId}:${transactionId}`;
    const description = 'Payment of an invoice';
    return {
      paid: { invoiceId, customerId: task.customerId, currency: task.currency, remaining, at: task.at, transactionId },
      movement: movement(wallet, { id: transactionId, amount: negative, description, invoiceId, kind: 'payment', occasion, at: task.at }),
    };
  });
}

interface Movement {
  wallet: LockedWallet;
  row: NewMovement;
}

type Moved = Omit<NewMovement, 'walletId' | 'balanceAfter'>;

function movement(wallet: LockedWallet, { id, amount, description, invoiceId, at, kind, occasion }: Moved): Movement {
  const after = { walletId: wallet.id, balanceAfter: wallet.balance };
  return { wallet, row: { ...after, id, amount, description, invoiceId, at, kind, occasion } };
}

/** The movement, its ledger transaction of the same id, and the balance. */
async function writeMovements(
  tx: Tx,
  movements: readonly Movement[],
  wallets: readonly LockedWallet[],
  moved: readonly LockedWallet[],
): Promise<void> {
  if (movements.length === 0) {
    if (moved.length > 0) await setBalances(tx, moved);
    return;
  }
  await insertMovements(
    tx,
    movements.map(({ row }) => row),
  );
  await post(
    tx,
    movements.map(({ wallet: { vendorId, customerId, currency }, row: { id, invoiceId, at, kind, amount } }) =>
      walletEntry({ id, vendorId, customerId, currency, occasion: id, invoiceId, at }, kind, amount),
    ),
  );
  await setBalances(tx, wallets);
  await publish(tx, [...Map.groupBy(movements, ({ wallet }) => wallet.id).values()].map(changedEvent));
}

/** One for each wallet, which is locked, with all its movements of the transaction. */
function changedEvent(movements: Movement[]): PublishedEvent {
  const { id, vendorId, customerId, currency, balance } = (movements[0] as Movement).wallet;
  const transactions = movements.map(({ row }) => ({ id: row.id, amount: row.amount, kind: row.kind, invoice_id: row.invoiceId }));
  const at = Math.max(...movements.map(({ row }) => row.at));
  return { vendorId, type: 'v1.wallet.changed', objectId: id, at, data: { customer_id: customerId, currency, balance, transactions } };
}
