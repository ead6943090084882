import type { PaymentsConfig } from '../../config/payments.ts';
import type { Database } from '../../db/connect.ts';
import { createProviders, type Providers } from '../../payments/providers.ts';
import type { WatchCall } from '../../payments/watched.ts';
import { takeNotice } from './take-notice.ts';

/** What a process needs of payments. */
export interface Payments {
  providers: Providers;
  /** Days after the first failure at which a payment is tried again, unless the vendor has its own. */
  retryDays: readonly number[];
}

interface PaymentParts {
  config: { payments: PaymentsConfig; mode: 'embedded' | 'production'; databaseUrl: string };
  db: Database;
  /** Takes note of each call to a provider. */
  watch?: WatchCall;
}

/** The providers of this process; what they report of their own accord is written down. */
export async function openPayments({ config, db, watch }: PaymentParts): Promise<Payments> {
  const { retryDays } = config.payments;
  const providers = await createProviders({
    config: config.payments,
    mode: config.mode,
    databaseUrl: config.databaseUrl,
    watch,
    notify: (notice) => db.transaction((tx) => takeNotice(tx, 'sandbox', notice, retryDays), { by: 'provider' }),
  });
  return { providers, retryDays };
}
