import type { Caller, Database, Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { cancelContract } from '../../services/contract/cancel.ts';
import { changeContract } from '../../services/contract/change.ts';
import { undo } from '../../services/contract/undo.ts';
import { lockCustomer } from '../../services/customer/lock.ts';
import { chooseDefault, requestDetach } from '../../services/payment/method.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import { concludeSession, insertSession } from '../../services/payment/session.ts';
import { planBody, signedContract } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { changeTo } from '../workflows/inputs.ts';

describe('what a customer does in the portal', () => {
  let vendor: TestVendor;
  let customerId: string;
  let contractId: string;
  let portal: Caller;

  beforeEach(async () => {
    vendor = await newVendor('History');
    // nothing is charged but what a test asks for
    await vendor.api.made('/v1/c/preferences/invoicing', { automatic_payment: false });
    ({ customerId, contractId } = await signedContract(vendor));
    await vendor.api.made(`/v1/c/customer/${customerId}/activate`, { notes: 'registered' });
    portal = { type: 'portal', id: customerId };
  });

  const inPortal = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    withTestDatabase((db: Database) => db.transaction(work, { caller: portal }));
  const call = () => ({ vendorId: vendor.vendorId, contractId });
  const history = async () =>
    (await vendor.api.read(`/v1/c/customer/${customerId}/history`)).hits.map(
      ({ action, object, actor, api_key_id }: Record<string, unknown>) => [action, object, actor, api_key_id],
    );
  const timeline = async () =>
    (await vendor.api.read(`/v1/c/contract/${contractId}/timeline`)).past.map(({ what, actor }: Record<string, unknown>) => [what, actor]);

  it('stands in its history as the portal, without a key; what a key does to the customer has the key', async () => {
    const key = { type: 'key', id: vendor.keyId };
    await inPortal((tx) => cancelContract(tx, call(), { when: { type: 'end_of_cycle' }, credit: false, notes: null }));
    await inPortal((tx) => undo(tx, call(), 'cancel_undo'));
    expect(await history()).toEqual([
      ['activated', null, key, vendor.keyId],
      ['contract_canceled', contractId, portal, null],
      ['cancellation_undone', contractId, portal, null],
    ]);
  });

  it('stands in the timeline of the contract as the portal; what a key asked for has the key, what time brings the system', async () => {
    await inPortal((tx) => cancelContract(tx, call(), { when: { type: 'end_of_cycle' }, credit: false, notes: null }));
    await vendor.api.made(`/v1/c/contract/${contractId}/cancel_undo`, {});
    const key = { type: 'key', id: vendor.keyId };
    expect(await timeline()).toEqual(
      expect.arrayContaining([
        ['v1.contract.signature.completed', key],
        ['period_began', { type: 'system', id: null }],
        ['invoice_made', key],
        ['cancel', portal],
        ['cancel_undo', key],
      ]),
    );
    expect((await history()).map(([action]: string[]) => action)).toEqual(['activated', 'contract_canceled']);
  });

  it('is a change, then its undoing: one line each', async () => {
    const cheaper = await vendor.api.made<string>('/v1/c/plan', planBody('cheaper', '9'));
    await inPortal((tx) => changeContract(tx, call(), changeTo(cheaper), null));
    await inPortal((tx) => undo(tx, call(), 'change_undo'));
    expect((await history()).slice(1)).toEqual([
      ['contract_changed', contractId, portal, null],
      ['change_undone', contractId, portal, null],
    ]);
  });

  it('is a method added, chosen, charged and removed; a session is the customer’s although the provider reports its end', async () => {
    const [first, second] = [await addMethod(), await addMethod()];
    await inPortal(async (tx) => chooseDefault(tx, await lockCustomer(tx, vendor.vendorId, customerId, { lock: 'update' }), second));
    const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contractId}&status=ready_for_payment`)).hits;
    const request = { method: first, reference: null };
    await inPortal(async (tx) => {
      await payOnRequest(tx, vendor.vendorId, invoice.id, request, () => undefined);
      tx.outbox.length = 0;
    });
    await inPortal(async (tx) => {
      await lockCustomer(tx, vendor.vendorId, customerId, { lock: 'update' });
      await requestDetach(tx, vendor.vendorId, customerId, second);
    });
    expect((await history()).slice(1)).toEqual([
      ['payment_method_added', first, portal, null],
      ['payment_method_added', second, portal, null],
      ['payment_method_selected', second, portal, null],
      ['payment_requested', invoice.id, portal, null],
      ['payment_method_removed', second, portal, null],
    ]);
  });

  it('leaves no line where it is refused', async () => {
    await expect(inPortal((tx) => undo(tx, call(), 'cancel_undo'))).rejects.toMatchObject({ code: 'no_cancellation' });
    expect(await history()).toHaveLength(1);
  });

  /** A session that the customer opens, and whose end its provider reports. */
  async function addMethod(): Promise<string> {
    const token = newId('PSess');
    const owner = { token, vendorId: vendor.vendorId, customerId, clockId: null, created: Date.now(), provider: 'sandbox' as const };
    const setup = { reference: token, customerReference: null, connectedAccountId: null, publishableKey: null };
    const plain = { address: false, detachPrevious: false, planId: null, pricingId: null };
    await inPortal((tx) => insertSession(tx, { ...owner, ...setup, ...plain }));
    const details = { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2099 };
    const method = { reference: `pm_${token}`, customerReference: null, type: 'card' as const, holderName: null, details };
    await withTestDatabase((db) => db.transaction((tx) => concludeSession(tx, token, { status: 'succeeded', method })));
    const methods = await vendor.api.read<{ id: string }[]>(`/v1/c/customer/${customerId}/payment/method`);
    return methods.at(-1)?.id ?? '';
  }
});
