import { newId } from '../../db/id.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { chargeOnDemand } from '../../services/contract/charge-on-demand.ts';
import { closeUsagePeriod } from '../../services/contract/close-usage-period.ts';
import { makeInvoices } from '../../services/invoice/make.ts';
import { validateInvoice, voidInvoice } from '../../services/invoice/validate.ts';
import { openGatedChange } from '../../services/payment-gate/open-change.ts';
import { savePlan } from '../../services/plan/save.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { changeTo, flatPlan } from './inputs.ts';
import { type Kit, openKit } from './kit.ts';
import { attemptOf, withMethod } from './payer.ts';

const HOUR = 3_600_000;

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const day = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 10)} ${new Date(at).toISOString().slice(11, 23)}Z`.replace('.000Z', 'Z');

/** When a row of the agenda is due, as operators read it. */
async function dueOf(kind: string, workflowId: string): Promise<string> {
  const [row] = await kit.db.query<{ at: number }>('select due_at as at from agenda where workflow_id = $1 and kind = $2', [
    workflowId,
    kind,
  ]);
  if (row === undefined) throw new Error(`${workflowId} has no ${kind}`);
  return day(row.at);
}

/** What an operator reads of a workflow: its own words, or those it was started with while nothing has been due. */
async function detailsOf(workflowId: string): Promise<string> {
  const { historyLength, ...description } = await kit.client.workflow.getHandle(workflowId).describe();
  return historyLength > 2 ? kit.details(workflowId) : ((await description.staticDetails()) ?? '');
}

const shows = (workflowId: string, kind: string, words: string): Promise<void> =>
  eventually(async () => expect(await detailsOf(workflowId)).toContain(`- ${await dueOf(kind, workflowId)}: ${words}`));

/** A plan at 10.00, with a jet at 5.00 that is charged on demand. */
async function planWithJet(): Promise<string> {
  const flat = flatPlan('10.00');
  const jet = { id: newId('Feat'), slug: 'jet', name: 'Jet', chargeTrigger: 'on_demand', group: null, value: null };
  const pricing = { ...flat.pricings[0], features: { jet: flatPlan('5.00').pricings[0]?.price } };
  const plan = { ...flat, features: [jet], pricings: [pricing] } as CataloguePlan;
  await kit.db.transaction((tx) => savePlan(tx, kit.vendorId, plan, Date.now()));
  return plan.id;
}

describe('an end stands in the details of the Temporal UI before it comes', () => {
  it('of a trial without a payment method', async () => {
    const contract = await kit.sign(await kit.customer(), await kit.plan('10.00'), {
      trialDays: 14,
      configuration: { onTrialEnd: 'cancel_without_method' },
    });
    await shows(contract, 'trial_cancellation', 'the contract is canceled unless its customer has a payment method');
  });

  it('of a contract whose first payment was declined', async () => {
    const customer = await withMethod(kit, 'sandbox_declined');
    const contract = await kit.sign(customer, await kit.plan('10.00'), { configuration: { onDunningEnd: 'cancel' } });
    const { invoice } = await attemptOf(kit, customer, 'failed');
    await shows(contract, 'dunning_end', `the contract is canceled unless invoice ${invoice} is paid`);
  });

  it('of a change that waits for its payment', async () => {
    const customer = await withMethod(kit, 'sandbox_slow');
    const contract = await kit.sign(customer, await kit.plan('10.00'), { configuration: { automaticPayment: false } });
    const plan = await kit.plan('90.00');
    const terms = { hours: 5, requireProvider: () => undefined, returnUrl: () => 'http://127.0.0.1' };
    const { contractId } = await kit.db.transaction((tx) => openGatedChange(tx, kit.call(contract), changeTo(plan), null, terms));
    await shows(contract, 'payment_gate', `contract ${contractId} is dropped unless it is paid`);
  });

  it('of usage that only a call closes, behind the end of its contract; then everything has ended', async () => {
    const customer = await kit.customer();
    const contract = await kit.sign(customer, await kit.plan('10.00', { calls: '0.50' }), {
      configuration: { usagePeriodClosingPolicy: 'manual' },
    });
    await kit.cancel(contract);
    const waits = `usage waits to be closed by a call, first that of period 1\n\nNothing is due; usage of ${contract} waits to be closed by a call.`;
    await eventually(async () => expect(await detailsOf(contract)).toContain(waits));
    await kit.db.transaction((tx) => closeUsagePeriod(tx, kit.call(contract), 1));
    await eventually(async () => expect(await detailsOf(contract)).toContain('Everything has ended.'));
  });

  it('of charges that wait for an invoice and of an invoice that waits for its validation, behind the end of their contract', async () => {
    const contract = await kit.sign(await kit.customer(), await planWithJet(), { configuration: { invoiceTrigger: 'manual' } });
    const charges = 'charges wait for an invoice that a call makes';
    await eventually(async () => expect(await detailsOf(contract)).toContain(`period 1, ${charges}\n\nWhat happens next:`));
    const make = () => {
      const all = { contractId: contract, customerId: null, itemIds: null };
      return kit.db.transaction((tx) => makeInvoices(tx, kit.vendorId, all));
    };
    const [first = ''] = await make();
    const draft = `period 1, invoice \`${first}\` waits to be validated by a call\n\n`;
    await eventually(async () => expect(await detailsOf(contract)).toContain(draft));
    await kit.db.transaction((tx) => validateInvoice(tx, kit.vendorId, first));
    await eventually(async () => expect(await detailsOf(contract)).toContain('**active**, period 1\n\n'));
    await kit.db.transaction((tx) => chargeOnDemand(tx, kit.call(contract), { slug: 'jet', units: null }));
    await eventually(async () => expect(await detailsOf(contract)).toContain(`period 1, ${charges}\n\n`));
    await kit.cancel(contract);
    const waits = `Everything has ended; charges of ${contract} wait for an invoice that a call makes.`;
    await eventually(async () => expect(await detailsOf(contract)).toContain(waits));
    const [second = ''] = await make();
    await eventually(async () =>
      expect(await detailsOf(contract)).toContain(`Everything has ended; invoice ${second} waits to be validated`),
    );
    await kit.db.transaction((tx) => voidInvoice(tx, kit.vendorId, second));
    await eventually(async () => expect(await detailsOf(contract)).toContain('Everything has ended.'));
  });

  it('of a freeze that ends by itself', async () => {
    const customer = await kit.customer();
    await kit.sign(customer, await kit.plan('10.00'));
    await kit.freeze(customer, Date.now() + 48 * HOUR);
    await shows(`customer:${customer}`, 'freeze_end', 'the freeze ends, and every contract goes on');
  });
});
