import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { Method } from '../../services/payment/method.ts';
import type { Session } from '../../services/payment/session.ts';
import type { PaymentMethod, PaymentSession } from '../schema/payment.ts';
import { providerToWire } from './provider.ts';

/** `clientSecret` is known only while the session is made. */
export function sessionToWire(session: Session, clientSecret: string | null = null): z.input<typeof PaymentSession> {
  const whose = { address: session.address, customer_id: session.customerId, wb_customer_id: session.vendorId };
  return {
    ...whose,
    detach_previous_on_success: session.detachPrevious,
    operation: 'add_method',
    provider: providerToWire(session.provider),
    status: session.status,
    token: session.token,
    setup_intent: session.provider === 'self_handled' ? null : { ...whose, ...providerPart(session, clientSecret) },
  };
}

function providerPart({ provider, connectedAccountId, publishableKey }: Session, clientSecret: string | null) {
  const shown = clientSecret !== null;
  return {
    cardproc:
      shown && providerToWire(provider) === 'cardproc'
        ? { client_secret: clientSecret, connected_account_id: connectedAccountId ?? '', pk_key: publishableKey ?? '' }
        : null,
    authorize: shown && provider === 'authorize' ? { token: clientSecret } : null,
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
