import type { AnyJson } from '../support/api.ts';
import { metered, planOfFeatures, story } from '../support/story.ts';

// Each way in which usage is recorded looks at the invoice threshold.

const calls = planOfFeatures('pro', { calls: { price: metered('1') } });
const at100 = { invoice_threshold: '100.00' };

describe('a threshold of 100.00 is reached', () => {
  story('by many events of one request, as a group: one invoice of 120.00', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(calls, at100));
    const customer_id = await acme.id();
    const events = ['40', '50', '30'].map((units) => ({ customer_id, feature_slug: 'calls', units }));
    await on('2025-06-05', () => vendor.api.made('/v1/c/usage/bulk', events));
    await acme.expectsInvoices('2025-06-05 120.00');
  });

  story('by a marker that sets the count to 130, and again when the count has gone on to 235', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls, at100));
    await on('2025-06-05', () => acme.uses('calls', '20'));
    await on('2025-06-06', () => acme.uses('calls', '130', undefined, { is_absolute: true }));
    await acme.expectsInvoices('2025-06-06 130.00');
    await on('2025-06-07', () => acme.uses('calls', '105'));
    await acme.expectsInvoices('2025-06-06 130.00', '2025-06-07 105.00');
  });

  story('by a marker that is discarded, so that the 150 units before it count again', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls, at100));
    await on('2025-06-05', () => acme.uses('calls', '90'));
    const marker = await on('2025-06-06', () => acme.uses('calls', '10', undefined, { is_absolute: true }));
    await on('2025-06-07', () => acme.uses('calls', '60'));
    await acme.expectsInvoices();
    await acme.discards(marker);
    await acme.expectsInvoices('2025-06-07 150.00');
  });

  story('by a reservation that is confirmed, with what of it was used, and not by one that is released', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(calls, at100));
    const reserves = async (units: string): Promise<string> => {
      const asked = { feature_slug: 'calls', units, reserve_seconds: 600 };
      const { reservation } = await vendor.api.made<AnyJson>(`/v1/c/entitlement/${await acme.id()}/check`, asked);
      return reservation;
    };
    await on('2025-06-05', () => acme.uses('calls', '70'));
    await vendor.api.made(`/v1/c/reservation/${await reserves('500')}/release`, {});
    await acme.expectsInvoices();
    await vendor.api.made(`/v1/c/reservation/${await reserves('500')}/confirm`, { units: '35' });
    await acme.expectsInvoices('2025-06-05 105.00');
  });

  story('by late usage of the open period, and not by what corrects a closed one', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls, at100));
    await on('2025-06-20', () => acme.uses('calls', '60'));
    await acme.uses('calls', '50', '2025-06-02');
    await acme.expectsInvoices('2025-06-20 110.00');
    await on('2025-07-02', () => acme.uses('calls', '300', '2025-06-30', { allow_correction: true }));
    await acme.uses('calls', '90');
    await acme.expectsInvoices('2025-06-20 110.00');
    await acme.uses('calls', '10');
    await acme.expectsLines('2025-07-02', 'Calls 100.00', 'Correction 300.00');
  });
});
