import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Method } from '../../services/payment/method.ts';
import type { Session } from '../../services/payment/session.ts';
import type { PaymentMethod, PaymentSession } from '../schema/payment.ts';
import { providerToWire } from './provider.ts';

/** A payment session; `clientSecret` is given only in the response that creates it. */
export function sessionToWire(session: Session, clientSecret: string | null = null): z.input<typeof PaymentSession> {
  const shared = { address: session.address, customer_id: session.customerId, wb_customer_id: session.vendorId };
  return {
    ...shared,
    detach_previous_on_success: session.detachPrevious,
    operation: 'add_method',
    provider: providerToWire(session.provider),
    status: session.status,
    token: session.token,
    setup_intent: session.provider === 'self_handled' ? null : { ...shared, ...providerPart(session, clientSecret) },
  };
}

function providerPart({ provider, connectedAccountId, publishableKey }: Session, clientSecret: string | null) {
  const isShown = clientSecret !== null;
  return {
    cardproc:
      isShown && providerToWire(provider) === 'cardproc'
        ? { client_secret: clientSecret, connected_account_id: connectedAccountId ?? '', pk_key: publishableKey ?? '' }
        : null,
    authorize: isShown && provider === 'authorize' ? { token: clientSecret } : null,
  };
}

export function methodToWire(method: Method): z.input<typeof PaymentMethod> {
  const { brand, last4, expMonth, expYear } = method.details;
  return {
    id: method.id,
    created: iso(method.created),
    method_type: method.type,
    provider: providerToWire(method.provider),
    status: method.status,
    details: { brand, last4, exp_month: expMonth, exp_year: expYear },
    holder_name: method.holderName,
    preference: method.isDefault ? 'default' : null,
  };
}
