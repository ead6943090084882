import { HOUR } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { signContract } from '../../services/contract/sign.ts';
import { grantCredits } from '../../services/credit/grant.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { collectDueOfCustomer } from '../../services/payment/collect-due.ts';
import { insertMethod, selectDefault } from '../../services/payment/method.ts';
import { recordOutcome } from '../../services/payment/record.ts';
import { savePlan } from '../../services/plan/save.ts';
import { grant } from '../../services/wallet/grant.ts';
import type { CountedVendor } from '../support/counted-vendor.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

/** A vendor whose customers have many open invoices. */
export class ManyOpen {
  readonly #own: CountedVendor;

  constructor(own: CountedVendor) {
    this.#own = own;
  }

  get vendorId(): string {
    return this.#own.vendorId;
  }

  inOne<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#own.db.transaction(work);
  }

  async customer(clockId: string | null = null): Promise<string> {
    const made = { ...blankCustomer(this.vendorId, clockId, Date.now()), name: 'Acme', status: 'active' as const };
    await this.inOne((tx) => insertCustomer(tx, made, Date.now()));
    return made.id;
  }

  /** An hourly contract of 10.00 whose last hours are invoiced, and that nobody has paid. */
  async owes(customerId: string, hours: number, ends: number | null = null): Promise<{ contractId: string; planId: string }> {
    const plan = flatPlan('10.00', { cycle: 'hour' });
    const now = Date.now();
    const activation = (ends ?? now + HOUR / 2) - hours * HOUR;
    const contractId = await this.inOne(async (tx) => {
      await savePlan(tx, this.vendorId, plan, now);
      return signContract(tx, { ...signInput(this.vendorId, customerId, plan.id), activation, expiration: ends });
    });
    for (let done = 0; done < hours; done += 50) await this.inOne((tx) => advanceBatch(tx, [contractId], now));
    return { contractId, planId: plan.id };
  }

  money(customerId: string, amount: string): Promise<string> {
    const given = { vendorId: this.vendorId, customerId, currency: 'usd' as const, amount, description: 'By hand' };
    return this.inOne((tx) => grant(tx, { ...given, at: Date.now() }));
  }

  credits(customerId: string, amount: string, plans: string[] | null = null, expiresAt: number | null = null): Promise<string> {
    const given = { ...CREDITS, kind: 'promotional' as const, amount, price: null, plans, effectiveAt: 0, expiresAt };
    return this.inOne((tx) => grantCredits(tx, { ...given, vendorId: this.vendorId, customerId }));
  }

  /** Bought credits of 12.00 for 10.00, and that nobody has paid. */
  buys(customerId: string, purchases: number): Promise<void> {
    const sold = {
      ...CREDITS,
      kind: 'purchased' as const,
      amount: '12.00',
      price: '10.00',
      plans: null,
      effectiveAt: null,
      expiresAt: null,
    };
    return this.inOne(async (tx) => {
      for (let n = 0; n < purchases; n += 1) await grantCredits(tx, { ...sold, vendorId: this.vendorId, customerId });
    });
  }

  /** Does what the customer’s workflow does next. */
  goesOn(customerId: string): Promise<void> {
    return collectDueOfCustomer(this.#own.db, customerId);
  }

  /** Runs of invoices that stand alike, the first due first, as "paid 200", and whether there is more to do. */
  async standing(customerId: string, contractId: string | null = null): Promise<string> {
    const rows = await this.#own.db.query<{ status: string }>(
      `select case when status = 'ready_for_payment' then case when deposit_transaction_status = 'processing' then 'charged' else 'open' end else status end
       || case when amount_due > 0 and amount_due < total then ' in part' else '' end as status
       from invoice where customer_id = $1 and ($2::text is null or contract_id = $2) order by due_date, date, id`,
      [customerId, contractId],
    );
    const runs: { status: string; n: number }[] = [];
    for (const { status } of rows) {
      const last = runs.at(-1);
      if (last?.status === status) last.n += 1;
      else runs.push({ status, n: 1 });
    }
    const [left] = await this.#own.db.query<{ n: number }>(
      `select count(*)::int as n from agenda where customer_id = $1 and kind = 'wallet_rest'`,
      [customerId],
    );
    return [...runs.map(({ status, n }) => `${status} ${n}`), ...(left?.n === 0 ? [] : ['to go on'])].join(', ');
  }

  /** Goes on until there is nothing more to do. */
  async goesOnToTheEnd(customerId: string): Promise<void> {
    while ((await this.standing(customerId)).endsWith('to go on')) await this.goesOn(customerId);
  }

  async balance(customerId: string): Promise<string> {
    const sql = `select balance from wallet where customer_id = $1 and currency = 'usd'`;
    const [wallet] = await this.#own.db.query<{ balance: string }>(sql, [customerId]);
    return wallet?.balance ?? '';
  }

  /** A card that is no default method. */
  method(customerId: string): Promise<string | null> {
    const details = { brand: 'visa', last4: '4242', expMonth: null, expYear: null };
    const shown = { type: 'card' as const, details, holderName: null, reference: `sandbox_ok.${customerId}`, customerReference: null };
    const whose = { vendorId: this.vendorId, customerId, clockId: null, provider: 'sandbox' as const };
    return this.inOne((tx) => insertMethod(tx, whose, shown, Date.now()));
  }

  async card(customerId: string): Promise<void> {
    const id = await this.method(customerId);
    await this.inOne((tx) => selectDefault(tx, this.vendorId, customerId, id ?? ''));
  }

  /**
   * The payment processor declines a charge of the customer.
   *
   * @param n which of them, in the order in which they were begun
   * @returns its invoice
   */
  async fails(customerId: string, n: number): Promise<string> {
    const sql = 'select id, invoice_id as invoice from payment_attempt where customer_id = $1 order by id';
    const attempt = (await this.#own.db.query<{ id: string; invoice: string }>(sql, [customerId]))[n];
    if (attempt === undefined) throw new Error('so many charges were not begun');
    const outcome = { status: 'failed' as const, reference: null, reason: 'declined' as const, retryable: true };
    await this.inOne((tx) => recordOutcome(tx, attempt.id, outcome, [1, 3]));
    return attempt.invoice;
  }
}

const CREDITS = { currency: 'usd' as const, priority: 50, features: null, description: null };
