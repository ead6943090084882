import type { z } from 'zod';
import type { ProviderName } from '../../billing/payment/types.ts';
import type { Provider } from '../schema/payment.ts';

/** The interface names three providers; the built-in processor stands for the card processor. */
export const providerToWire = (name: ProviderName): z.output<typeof Provider> => (name === 'sandbox' ? 'cardproc' : name);
