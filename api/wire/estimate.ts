import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { ChangePlan } from '../../billing/contract/change/change.ts';
import type { ChangeSide } from '../../billing/contract/charge/breakdown.ts';
import type { ContractGate } from '../../billing/contract/types.ts';
import type { InvoiceWithLines } from '../../billing/contract/work.ts';
import type { UpgradeEstimate } from '../schema/upgrade.ts';
import { periodToWire } from './contract.ts';
import { creditsMovedToWire } from './credit.ts';
import { estimatedToWire } from './invoice.ts';
import { gateToWire } from './payment-gate.ts';

/** The estimate of an upgrade, with the token that fixes its instant. */
export function estimateToWire(
  plan: ChangePlan,
  token: { text: string; expires: number },
  gate: Omit<ContractGate, 'contractId'> | null,
): z.input<typeof UpgradeEstimate> {
  const { breakdown } = plan;
  const toWire = (invoices: readonly InvoiceWithLines[]) => invoices.map(estimatedToWire);
  return {
    is_downgrade: plan.isDowngrade,
    price_on_new_contract: toWire(plan.priceOnNew),
    remains_to_pay_current_contract: toWire(plan.remainsToPay),
    pro_rate_new_contract: breakdown.proRateNewContract,
    pro_rate_old_contract: breakdown.proRateOldContract,
    usage_old_contract: breakdown.usageOldContract,
    upgrade_cost_breakdown: {
      new_contract: sideToWire(breakdown.newContract),
      old_contract: sideToWire(breakdown.oldContract),
      new_contract_cost_pro_rated: breakdown.newContractCostProRated,
      pro_rate_new_contract: breakdown.proRateNewContract,
      pro_rate_old_contract: breakdown.proRateOldContract,
      total: breakdown.total,
      usage_old_contract: breakdown.usageOldContract,
      time_on_new_contract: breakdown.timeOnNewContract,
      time_on_old_contract: breakdown.timeOnOldContract,
    },
    new_contract_period: periodToWire(plan.newContractPeriod),
    credits: creditsMovedToWire(plan.credits),
    change_rule: plan.rule,
    estimate_token: token.text,
    expires: iso(token.expires),
    activation: iso(plan.activation),
    awaiting_payment: gate === null ? null : gateToWire(gate),
  };
}

const sideToWire = (side: ChangeSide) => ({
  cost_pro_rated: side.costProRated,
  full_cost: side.fullCost,
  pro_rate: side.proRate,
  usage: side.usage,
  cycle: side.cycle,
  time_on_contract: {
    period: periodToWire(side.timeOnContract.period),
    time_used: { unit: side.timeOnContract.timeUsed.unit, unit_count: side.timeOnContract.timeUsed.unitCount },
  },
});
