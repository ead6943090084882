import type { PaymentsConfig } from '../config/payments.ts';
import type { Database } from '../db/connect.ts';
import { takeNotice } from '../db/payment/notice.ts';
import { createProviders, type Providers } from './providers.ts';

/** What a process needs of payments. */
export interface Payments {
  providers: Providers;
  /** Days after the first failure at which a payment is tried again, unless the vendor has its own. */
  retryDays: readonly number[];
}

interface PaymentParts {
  config: { payments: PaymentsConfig; mode: 'embedded' | 'production'; databaseUrl: string };
  db: Database;
  /** Delivers wishes just committed; never throws. */
  deliver: (wishIds: readonly string[]) => Promise<void>;
}

/** The providers of this process, what they tell on their own accord written down. */
export function openPayments({ config, db, deliver }: PaymentParts): Payments {
  const { retryDays } = config.payments;
  const providers = createProviders({
    config: config.payments,
    mode: config.mode,
    databaseUrl: config.databaseUrl,
    notify: async (notice) => deliver(await db.transaction((tx) => takeNotice(tx, 'sandbox', notice, retryDays))),
  });
  return { providers, retryDays };
}
