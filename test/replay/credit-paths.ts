import { DAY } from '../../billing/calendar/instant.ts';
import { grantCredits, type NewGrant, voidGrant } from '../../services/credit/grant.ts';
import { setTopUp } from '../../services/credit/top-up.ts';
import { setAlert } from '../../services/usage-alert/set.ts';
import type { Kit } from '../workflows/kit.ts';
import { addMethod, attemptOf, hastenRetry } from '../workflows/payer.ts';
import type { Path } from './path.ts';

/** Credits that are a gift of 20.00 for a day, unless more is said. */
function grant({ db, vendorId }: Kit, customerId: string, more: Partial<NewGrant> = {}): Promise<string> {
  const owner = { vendorId, customerId, currency: 'usd' as const };
  const plain = { effectiveAt: null, price: null, priority: 50, features: null, plans: null, description: null };
  const gift = { ...owner, ...plain, kind: 'promotional' as const, amount: '20', expiresAt: Date.now() + DAY };
  return db.transaction((tx) => grantCredits(tx, { ...gift, ...more }));
}

export const creditPaths: Path[] = [
  async ({ kit }) => {
    const customerId = await kit.customer();
    await addMethod(kit, customerId, null, 'sandbox_ok');
    await grant(kit, customerId);
    const owner = { vendorId: kit.vendorId, customerId, currency: 'usd' as const };
    const topUp = { ...owner, below: '30', amount: '50', price: '45', atMostPerMonth: '500' };
    await kit.db.transaction((tx) => setTopUp(tx, topUp));
    const { id } = await attemptOf(kit, customerId, 'succeeded');
    return { 'customer-with-a-top-up': { workflowId: `customer:${customerId}`, mustHold: 'topUp' }, 'credits-paid': `payment:${id}` };
  },
  async ({ kit }) => {
    const customerId = await kit.customer();
    await grant(kit, customerId);
    await grant(kit, customerId, { expiresAt: Date.now() + 5_000 });
    return { 'customer-whose-credits-expire': { workflowId: `customer:${customerId}`, mustHold: 'expireCredits' } };
  },
  async ({ kit }) => {
    const customerId = await kit.customer();
    await grant(kit, customerId);
    const voided = await grant(kit, customerId);
    const alert = { customerId, on: 'balance' as const, slug: null, steps: ['25'] };
    await kit.db.transaction((tx) => setAlert(tx, { vendorId: kit.vendorId, ...alert }));
    await kit.db.transaction((tx) => voidGrant(tx, kit.vendorId, voided));
    return { 'customer-whose-credits-are-looked-at': { workflowId: `customer:${customerId}`, mustHold: 'lookAtCredits' } };
  },
  async ({ kit }) => {
    const customerId = await kit.customer();
    await addMethod(kit, customerId, null, 'sandbox_declined');
    await grant(kit, customerId, { kind: 'purchased', price: '15' });
    await attemptOf(kit, customerId, 'failed');
    await hastenRetry(kit, `customer:${customerId}`);
    await attemptOf(kit, customerId, 'failed', 2);
    return { 'customer-whose-purchase-is-charged-again': { workflowId: `customer:${customerId}`, mustHold: 'collectPayments' } };
  },
];
