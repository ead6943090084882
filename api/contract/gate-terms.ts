import type { GateTerms } from '../../services/payment-gate/open.ts';
import type { ApiDependencies } from '../http/dependencies.ts';
import type { ErrorCode } from '../http/errors.ts';
import { providerOf } from '../payment/provider.ts';

/** Why a call with a payment gate can be refused, beside what refuses it without one. */
export const gateErrors: readonly ErrorCode[] = ['payment_declined', 'payment_method_state', 'provider_not_configured'];

/** A gate as a caller asks for it, with what this process knows of payments. */
export const gateTermsOf = (
  { expires_in_hours: hours }: { expires_in_hours: number },
  { payments, settings }: Pick<ApiDependencies, 'payments' | 'settings'>,
): GateTerms => ({
  hours,
  requireProvider: (name) => void providerOf(payments.providers, name),
  returnUrl: (contractId) => `${settings.baseUrl}/portal/payment/${contractId}/return`,
});
