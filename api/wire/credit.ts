import type { z } from 'zod';
import { type Instant, iso } from '../../billing/calendar/instant.ts';
import type { CreditsMoved as Moved } from '../../billing/contract/change/change-credits.ts';
import type { PlanGrant } from '../../billing/credit/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { CreditGrantRecord } from '../../db/entities/credit.ts';
import type { SeenUse } from '../../db/sql/credit/newest-uses.ts';
import { statusOf } from '../../services/credit/read.ts';
import type { CreditGrant, CreditUse } from '../schema/credit.ts';
import type { CreditsMoved, GivenCredits } from '../schema/plan-credits.ts';

/** What a grant says of itself at an instant of its customer's clock. */
export const grantToWire = (grant: CreditGrantRecord, now: Instant): z.input<typeof CreditGrant> => ({
  id: grant.id,
  customer_id: grant.customerId,
  currency: grant.currency,
  kind: grant.kind,
  amount: moneyText(grant.amount, grant.currency),
  price: grant.price === null ? null : moneyText(grant.price, grant.currency),
  invoice_id: grant.invoiceId,
  left: moneyText(grant.balance, grant.currency),
  held: moneyText(grant.held, grant.currency),
  priority: grant.priority,
  effective_at: iso(grant.effectiveAt),
  expires_at: grant.expiresAt === null ? null : iso(grant.expiresAt),
  applies_to: { features: grant.features, plans: grant.plans },
  description: grant.description,
  contract_id: grant.contractId,
  rolled_over_from: grant.rolledFrom,
  rollover_maximum: grant.rolloverMaximum === null ? null : moneyText(grant.rolloverMaximum, grant.currency),
  status: statusOf(grant, now),
  created: iso(grant.created),
});

export const givenToWire = ({ amount, currency, effectiveAt, expiresAt }: PlanGrant): z.input<typeof GivenCredits> => ({
  amount,
  currency,
  effective_at: iso(effectiveAt),
  expires_at: expiresAt === null ? null : iso(expiresAt),
});

export const creditsMovedToWire = ({ given, back }: Moved): z.input<typeof CreditsMoved> => ({
  given: given.map(givenToWire),
  taken_back: back[0]?.amount ?? null,
});

export const useToWire = ({ grantId, invoiceId, amount, at }: SeenUse, currency: Currency): z.input<typeof CreditUse> => ({
  grant: grantId,
  invoice: invoiceId,
  amount: moneyText(amount, currency),
  at: iso(at),
});
