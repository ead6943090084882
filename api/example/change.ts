import type { z } from 'zod';
import type { EstimateRequest, UpgradeEstimate } from '../schema/upgrade.ts';
import { junePeriod } from './contract.ts';
import { exampleToken, ids } from './ids.ts';
import { newPlan, unusedTime, upgradeInvoice, upgradeRule } from './invoice.ts';

const unpaid = (line: typeof newPlan) => ({ ...line, status: 'ready_for_payment' as const, withdrawal_transaction_id: null });

/**
 * A change from 30.00 to 300.00 a month on 11 June.
 * The 20 unused days of 30 give back 20.00; the same days cost 200.00 at the new price.
 */
export const exampleEstimate = {
  is_downgrade: false,
  price_on_new_contract: [
    {
      invoice: {
        ...upgradeInvoice,
        ...{
          deposit_transaction_status: 'not_processed',
          deposit_transaction_id: null,
          invoice_number: { number: '' },
          status: 'ready_for_payment',
        },
      },
      invoice_items: [unpaid(unusedTime), unpaid(newPlan)],
    },
  ],
  remains_to_pay_current_contract: [],
  pro_rate_new_contract: '0.666666666667',
  pro_rate_old_contract: '0.333333333333',
  usage_old_contract: '0.00',
  upgrade_cost_breakdown: {
    new_contract: {
      cost_pro_rated: '200.00',
      full_cost: '300.00',
      pro_rate: '0.666666666667',
      usage: '0.00',
      cycle: 'month',
      time_on_contract: {
        period: { start: '2026-06-11T00:00:00.000Z', end: '2026-07-01T00:00:00.000Z' },
        time_used: { unit: 'hour', unit_count: 480 },
      },
    },
    old_contract: {
      cost_pro_rated: '10.00',
      full_cost: '30.00',
      pro_rate: '0.333333333333',
      usage: '0.00',
      cycle: 'month',
      time_on_contract: {
        period: { start: '2026-06-01T00:00:00.000Z', end: '2026-06-11T00:00:00.000Z' },
        time_used: { unit: 'hour', unit_count: 240 },
      },
    },
    new_contract_cost_pro_rated: '200.00',
    pro_rate_new_contract: '0.666666666667',
    pro_rate_old_contract: '0.333333333333',
    total: '180.00',
    usage_old_contract: '0.00',
    time_on_new_contract: { unit: 'hour', value: 480 },
    time_on_old_contract: { unit: 'hour', value: 240 },
  },
  new_contract_period: junePeriod,
  credits: { given: [], taken_back: null },
  change_rule: upgradeRule,
  estimate_token: exampleToken,
  expires: '2026-06-11T00:10:00.000Z',
  activation: '2026-06-11T00:00:00.000Z',
  awaiting_payment: null,
} satisfies z.input<typeof UpgradeEstimate>;

export const exampleChangeRequest = {
  upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: ids.business },
  downgrade_allowed: false,
} satisfies z.input<typeof EstimateRequest>;
