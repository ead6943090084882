import type { z } from 'zod';
import { type Instant, iso } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { CreditGrantRecord } from '../../db/entities/credit.ts';
import { type SeenUse, statusOf } from '../../services/credit/read.ts';
import type { CreditGrant, CreditUse } from '../schema/credit.ts';

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
  status: statusOf(grant, now),
  created: iso(grant.created),
});

export const useToWire = ({ grantId, invoiceId, amount, at }: SeenUse, currency: Currency): z.input<typeof CreditUse> => ({
  grant: grantId,
  invoice: invoiceId,
  amount: moneyText(amount, currency),
  at: iso(at),
});
