import type { z } from 'zod';
import type { ProviderName } from '../../billing/payment/types.ts';
import type { Provider } from '../schema/payment.ts';

/** The provider's name on the wire, where the built-in sandbox has the name of the card processor. */
export const providerToWire = (name: ProviderName): z.output<typeof Provider> => (name === 'sandbox' ? 'cardproc' : name);
