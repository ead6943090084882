import { HOUR } from '../../billing/calendar/instant.ts';
import { newId } from '../../db/id.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { createClock } from '../../services/clock/create.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { signContract } from '../../services/contract/sign.ts';
import { upcomingInvoice } from '../../services/contract/upcoming-invoice.ts';
import { selectDefault } from '../../services/payment/method.ts';
import { openGatedChange } from '../../services/payment-gate/open-change.ts';
import { savePlan } from '../../services/plan/save.ts';
import { UsageIntake } from '../../services/usage/intake.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { changeTo, flatPlan, signInput } from '../workflows/inputs.ts';
import { ManyOpen } from './many-open-kit.ts';

const own = countedVendor('Foreseen');
const shop = new ManyOpen(own);
afterEach(async () => expect(await checkLedger(own.db)).toEqual([]));

const NOW = Date.now();
const RENEWAL = NOW + HOUR / 2;

/** A customer on a test clock. */
async function customer(): Promise<{ id: string; clockId: string }> {
  const clockId = await shop.inOne((tx) => createClock(tx, { vendorId: own.vendorId, name: null, now: NOW }));
  return { id: await shop.customer(clockId), clockId };
}

/**
 * Signs an hourly contract of 30.00 whose credits of 20.00 roll over, and reports usage of 30.00 for its first hour,
 * which has ended: what rolls over with the renewal and the new credits pay it, as a correction.
 */
async function signs(customerId: string): Promise<string> {
  const plan = flatPlan('30.00', { cycle: 'hour', calls: '1.00' });
  const [pricing] = plan.pricings;
  Object.assign(pricing ?? {}, { credits: { amount: '20.00', expiresAfterCycles: 1, rolloverMaximum: '20.00' } });
  const contractId = await shop.inOne(async (tx) => {
    await savePlan(tx, own.vendorId, plan, NOW);
    return signContract(tx, { ...signInput(own.vendorId, customerId, plan.id), activation: RENEWAL - 2 * HOUR });
  });
  const [key] = await own.db.query<{ id: string }>('select id from api_key where vendor_id = $1', [own.vendorId]);
  const late = { slug: 'calls', units: '30', isAbsolute: false, timestamp: RENEWAL - 1.5 * HOUR, allowCorrection: true };
  const event = { id: newId('Evt'), vendorId: own.vendorId, keyId: key?.id ?? '', customerId, ...late, metadata: {}, idempotencyKey: null };
  expect(await new UsageIntake(own.db).report([event])).toEqual([{ id: event.id }]);
  return contractId;
}

/** Opens a payment gate that holds all that is in the wallet, up to the renewal. */
async function holds(customerId: string, contractId: string): Promise<void> {
  const plan = flatPlan('90000.00', { cycle: 'hour' });
  const terms = { hours: 24, requireProvider: () => undefined, returnUrl: () => '' };
  await shop.card(customerId);
  await shop.inOne(async (tx) => {
    await savePlan(tx, own.vendorId, plan, NOW);
    await openGatedChange(tx, { vendorId: own.vendorId, contractId }, changeTo(plan.id), null, terms);
  });
  await shop.inOne((tx) => selectDefault(tx, own.vendorId, customerId, 'none'));
}

async function owes(customerId: string, invoices: number): Promise<void> {
  for (let left = invoices; left > 0; left -= 350) await shop.owes(customerId, Math.min(left, 350));
}

/** "credits wallet due" of the invoice of the renewal: as it is foreseen, and once it is made. */
async function renewalOf({ id, clockId }: { id: string; clockId: string }, contractId: string) {
  const { first } = await upcomingInvoice(own.db, own.vendorId, contractId);
  const paid = (due: string, credits: string) => `${credits} ${(60 - Number(due) - Number(credits)).toFixed(2)} ${due}`;
  await own.db.query('update test_clock set now = $2 where id = $1', [clockId, new Date(RENEWAL)]);
  await shop.inOne((tx) => advanceBatch(tx, [contractId], RENEWAL));
  await shop.goesOnToTheEnd(id);
  const [made] = await own.db.query<{ due: string; credits: string }>(
    `select amount_due::text as due, (select coalesce(-sum(m.amount), 0.00) from credit_movement m where m.invoice_id = i.id)::text as credits
     from invoice i where contract_id = $1 order by date desc limit 1`,
    [contractId],
  );
  return [paid(first?.amountDue ?? '', first?.fromCredits ?? ''), paid(made?.due ?? '', made?.credits ?? '')];
}

describe('what credits and wallet pay of a renewal of 60.00 is what was foreseen', () => {
  it.each([190, 300, 1_050])('where %s others are open and nothing else comes that pays', async (invoices) => {
    const one = await customer();
    await owes(one.id, invoices);
    expect(await renewalOf(one, await signs(one.id))).toEqual(Array(2).fill('30.00 0.00 30.00'));
  });

  it.each([
    ['190 open invoices, and what rolls over pays 10.00 before the wallet', 190, 70, '30.00 30.00 0.00'],
    ['300 in steps, behind which credits end', 300, 70, '20.00 40.00 0.00'],
    ['300 in steps, and what rolls over then pays the 5.00 that the wallet has left', 300, 35, '25.00 35.00 0.00'],
    ['450 in steps, as 300', 450, 35, '25.00 35.00 0.00'],
  ])('where a gate ends with it that has held the money for %s', async (_, invoices, more, expected) => {
    const one = await customer();
    await shop.money(one.id, String(invoices * 10 + 60 + more));
    const contractId = await signs(one.id);
    await holds(one.id, contractId);
    await owes(one.id, invoices);
    expect(await renewalOf(one, contractId)).toEqual([expected, expected]);
  });
});
