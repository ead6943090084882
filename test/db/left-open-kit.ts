import type { Tx } from '../../db/connect.ts';
import { signContract } from '../../services/contract/sign.ts';
import type { SignContractInput } from '../../services/contract/signing.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import type { CountedVendor } from '../support/counted-vendor.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

/** Of the hours before the running one, each with as many calls as its number says. */
const LEFT = `
  insert into usage_period
  select (jsonb_populate_record(p, jsonb_build_object('idx', p.idx - n, 'status', 'closing', 'closes_at', null,
    'start_at', p.start_at - n * interval '1 hour', 'end_at', p.start_at - (n - 1) * interval '1 hour',
    'usage_from', p.usage_from - n * interval '1 hour', 'usage_until', p.usage_from - (n - 1) * interval '1 hour'))).*
  from usage_period p, generate_series(1, $2::int) n where p.contract_id = $1`;
const COUNTED = `
  insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, listed)
  select contract_id, idx, 'calls', idx, 1, idx, 1, 1 from usage_period where contract_id = $1 and status = 'closing'`;
const AGED = `
  update contract set current_idx = current_idx + $2, start_at = start_at - $2 * interval '1 hour', began = began - $2 * interval '1 hour',
    activation = activation - $2 * interval '1 hour' where id = $1`;

interface HourlyContract {
  customer: string;
  contract: string;
}

/** Contracts whose usage periods only a caller closes, and nobody does. */
export class LeftOpen {
  readonly #own: CountedVendor;

  constructor(own: CountedVendor) {
    this.#own = own;
  }

  readonly inOne = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => this.#own.db.transaction(work);

  /** An hourly contract at 10.00 with calls at 0.10 each, of which that many usage periods have ended. */
  async signed(left: number, more: Partial<SignContractInput> = {}): Promise<HourlyContract> {
    const { db, vendorId } = this.#own;
    const now = Date.now();
    const customer = { ...blankCustomer(vendorId, null, now), name: 'Acme', status: 'active' as const };
    const plan = flatPlan('10.00', { calls: '0.10', cycle: 'hour' });
    const contract = await this.inOne(async (tx) => {
      await savePlan(tx, vendorId, plan, now);
      await insertCustomer(tx, customer, now);
      const configuration = { usagePeriodClosingPolicy: 'manual' as const };
      return signContract(tx, { ...signInput(vendorId, customer.id, plan.id), configuration, ...more });
    });
    await db.query('update usage_period set idx = idx + $2 where contract_id = $1', [contract, left]);
    await db.query(AGED, [contract, left]);
    await db.query(LEFT, [contract, left]);
    await db.query(COUNTED, [contract]);
    return { customer: customer.id, contract };
  }

  /** How many usage periods of a contract aren't closed. */
  async openOf(contract: string): Promise<number> {
    const [row] = await this.#own.db.query<{ n: number }>(
      `select count(*)::int as n from usage_period where contract_id = $1 and status <> 'closed'`,
      [contract],
    );
    return row?.n ?? 0;
  }
}
