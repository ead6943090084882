import type { Instant } from '../../billing/calendar/instant.ts';
import { creditedAmount } from '../../billing/invoice/note-lines.ts';
import { CURRENCIES, type Currency, isCurrency } from '../../billing/money/currency.ts';
import { type Decimal, dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { BillingError, type FieldProblem } from '../../billing/problem.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database, Tx } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { CreditGrant, CreditMovement } from '../../db/entities/credit.ts';
import { Wallet, WalletTransaction } from '../../db/entities/wallet.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { grantCredits, USUAL_PRIORITY } from '../credit/grant.ts';
import { lockCustomer } from '../customer/lock.ts';
import { foreseePayments } from '../wallet/foresee.ts';
import { grant } from '../wallet/grant.ts';

/** Money for a customer, as somebody typed it. */
export interface Gift {
  amount: string;
  currency: Currency;
  description: string;
  /** of credits; null: they never expire */
  expiresAt: Instant | null;
  /** of a wallet: negative takes back */
  isTakenBack: boolean;
}

/** What a gift comes to at once. */
export interface GiftEffect {
  /** what of it pays open invoices */
  pays: string;
  /** what is left of it then */
  rest: string;
  /** one value for the gift and for what the customer has: only from there it is given */
  shown: string;
}

/** Where the given money goes. */
export type GiftTarget = 'credits' | 'wallet';

const LONGEST_TEXT = 1_000;

/**
 * Checks what was typed, and gives it as it will be booked.
 *
 * @throws BillingError with the fields that are wrong
 */
export function checkedGift(target: GiftTarget, gift: Gift, now: Instant): Gift {
  const problems: FieldProblem[] = [];
  const { amount, currency, description, expiresAt } = gift;
  let value: Decimal = ZERO;
  try {
    value = creditedAmount(amount, currency, 'amount');
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    problems.push(...error.problems);
  }
  if (target === 'wallet' && description === '') problems.push({ field: 'description', code: 'required', message: 'say what it is for' });
  if (description.length > LONGEST_TEXT)
    problems.push({ field: 'description', code: 'too_long', message: `give at most ${LONGEST_TEXT} letters` });
  if (expiresAt !== null && expiresAt <= now) problems.push({ field: 'expires', code: 'past_date', message: 'give a day that lies ahead' });
  if (problems.length > 0) throw new BillingError(problems);
  return { ...gift, amount: moneyText(value, currency) };
}

/** The currency that a form names; null for none. */
export const currencyNamed = (text: string): Currency | null => (isCurrency(text) ? text : null);

/** All currencies, the usual one of the customer first. */
export const currenciesFrom = (usual: Currency): Currency[] => [usual, ...CURRENCIES.filter((one) => one !== usual)];

/** What a gift pays at once, by the rules that credits and the wallet pay by; nothing of it is written. */
export async function giftEffect(db: Database, customer: CustomerRecord, target: GiftTarget, gift: Gift): Promise<GiftEffect> {
  const { amount, currency, isTakenBack } = gift;
  const pays = isTakenBack ? ZERO : await paidBy(db, customer, target, gift);
  return {
    pays: moneyText(pays, currency),
    rest: moneyText(dec(amount).minus(pays), currency),
    shown: fingerprintOf([target, gift, await standing({ em: db.em() }, customer.id, target, currency)]),
  };
}

/** What is paid with the gift and not without it. */
async function paidBy(db: Database, customer: CustomerRecord, target: GiftTarget, { amount, currency, expiresAt }: Gift): Promise<Decimal> {
  const { id: customerId, vendorId, clockId } = customer;
  const owner = { customerId, currency };
  const now = await nowOf(db, clockId);
  const row = { id: 'Grant_', vendorId, ...owner, kind: 'promotional' as const, balance: amount, held: '0', priority: USUAL_PRIORITY };
  const unlimited = { features: null, plans: null, contractId: null, rolloverMaximum: null, rolloverUntil: null };
  const granted = [{ ...row, ...unlimited, effectiveAt: now, expiresAt }];
  const after = await foreseePayments(db, owner, target === 'wallet' ? { surplus: amount } : { granted });
  return paidIn(after).minus(paidIn(await foreseePayments(db, owner)));
}

const paidIn = (payments: Awaited<ReturnType<typeof foreseePayments>>): Decimal =>
  sum([...payments.values()].flatMap(({ fromCredits, fromWallet }) => [dec(fromCredits), dec(fromWallet)]));

/** The last movement of what the money goes into: the same button pressed twice finds another one. */
async function standing({ em }: Pick<Tx, 'em'>, customerId: string, target: GiftTarget, currency: Currency): Promise<string | null> {
  const newest = { orderBy: { seq: 'desc' }, limit: 1, disableIdentityMap: true } as const;
  if (target === 'wallet') {
    const wallet = await em.findOne(Wallet, { customerId, currency }, { fields: ['id'] });
    const [last] = wallet === null ? [] : await em.find(WalletTransaction, { wallet: wallet.id }, newest);
    return last?.id ?? null;
  }
  const grants = await em.find(CreditGrant, { customerId, currency }, { fields: ['id'] });
  const [last] = await em.find(CreditMovement, { grant: { $in: grants.map(({ id }) => id) } }, newest);
  return last?.id ?? null;
}

/**
 * Gives what a page has shown, once.
 *
 * @throws Refusal `estimate_outdated` where something has moved since, and those of the grant and of the wallet
 */
export async function giveAsShown(
  { db, asker }: { db: Database; asker: Asker },
  { id: customerId, vendorId }: CustomerRecord,
  { target, gift, shown }: { target: GiftTarget; gift: Gift; shown: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { now } = await lockCustomer(tx, vendorId, customerId, { lock: 'update' });
    if (fingerprintOf([target, gift, await standing(tx, customerId, target, gift.currency)]) !== shown) throw outdated();
    const { amount, currency, description, expiresAt, isTakenBack } = gift;
    const to = { vendorId, customerId, currency };
    if (target === 'wallet') {
      const moved = isTakenBack ? dec(amount).neg().toFixed() : amount;
      await grant(tx, { ...to, amount: moved, description, at: now });
      return;
    }
    const all = { price: null, effectiveAt: null, priority: USUAL_PRIORITY, features: null, plans: null };
    await grantCredits(tx, { ...to, ...all, kind: 'promotional', amount, expiresAt, description: description || null });
  }, asker);
}

const outdated = (): Refusal =>
  new Refusal(
    'estimate_outdated',
    'The customer’s credits or wallet have changed since this page was shown; look at them before you give again.',
  );
