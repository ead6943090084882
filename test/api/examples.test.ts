import { examplePlanRequestOf } from '../../api/example/catalogue.ts';
import { exampleChangeRequest } from '../../api/example/change.ts';
import { exampleGrant } from '../../api/example/credit.ts';
import { exampleToken, ids } from '../../api/example/ids.ts';
import { exampleKey } from '../../api/example/operating.ts';
import { routes } from '../../api/routes.ts';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor } from '../support/vendor.ts';
import { type ExampleCall, ExampleStory } from './example-story.ts';

const customer = { params: { customer_id: ids.customer } };
const contract = { params: { contract_id: ids.contract } };
const invoice = { params: { invoice_id: ids.invoice } };
const clock = { params: { test_clock_id: ids.clock } };
const session = { params: { token: ids.session } };
const method = { params: { customer_id: ids.customer, method_id: ids.method } };
const key = { params: { api_key_id: ids.key } };
const endpoint = { params: { endpoint_id: ids.endpoint } };

/** A contract is parked only by a fault, which no caller can cause. */
const UNPLAYED = ['resume_contract'];

/** All that the audit log has of a vendor. */
async function everyEntry(api: Api): Promise<{ action: string }[]> {
  const { hits, forward } = await api.read('/v1/c/audit?limit=100');
  const entries = [...hits];
  for (let next = forward; next !== null; ) {
    const page = await api.read(`/v1/c/audit?limit=100&offset=${next}`);
    entries.push(...page.hits);
    next = page.forward;
  }
  return entries;
}

describe('the examples of the document', () => {
  it('are one story that the API really plays', async () => {
    const vendor = await newVendor();
    const story = new ExampleStory(vendor.api);
    const play = (operationId: string, call?: ExampleCall) => story.play(operationId, call);
    story.names.pair(exampleKey, vendor.apiKey);

    const reach = async (now: string) => {
      await story.call('advance_test_clock', { ...clock, body: { now } });
      await ready();
    };
    const ready = () => eventually(async () => expect(await story.call('get_test_clock', clock)).toMatchObject({ status: 'ready' }));
    const paid = (count: number) =>
      eventually(async () =>
        expect(await story.call('list_invoices', { query: `?customer=${ids.customer}&status=paid` })).toMatchObject({ total: count }),
      );

    await play('create_test_clock');
    await play('get_test_clock', clock);
    await play('list_test_clocks');
    await play('stop_test_clock', clock);

    await play('save_plan');
    await play('get_plan', { params: { plan_id: ids.team } });
    await play('list_plans', { query: '?slug=team' });
    await play('list_plan_versions', { params: { plan_id: ids.team } });
    await play('start_plan_move', { params: { plan_id: ids.team }, query: '?dry_run=true' });
    await play('start_plan_move', { params: { plan_id: ids.team } });
    const move = { params: { plan_id: ids.team, move_id: ids.move } };
    await eventually(async () => expect(await story.call('get_plan_move', move)).toMatchObject({ status: 'done' }));
    for (const operation of ['get_plan_move', 'stop_plan_move', 'resume_plan_move', 'list_refused_of_plan_move'])
      await play(operation, move);
    story.names.pair(ids.business, await story.call('save_plan', { body: examplePlanRequestOf('business', 'Business', '300.00') }));
    await play('save_discount');
    await play('get_discount', { params: { discount_id: ids.discount } });
    await play('list_discounts', { query: '?slug=spring' });
    await play('archive_discount', { params: { discount_id: ids.discount } });
    await play('list_audit', { query: `?object=${ids.discount}` });

    await play('create_import');
    const imported = { params: { import_id: ids.import } };
    await play('add_import_lines', imported);
    await story.call('start_import', { ...imported, query: '?dry_run=true' });
    await play('start_import', imported);
    await eventually(async () => expect(await story.call('get_import', imported)).toMatchObject({ status: 'done' }));
    for (const operation of ['get_import', 'stop_import', 'resume_import', 'discard_import', 'list_refused_of_import'])
      await play(operation, imported);

    await play('save_customer');
    await play('activate_customer', customer);
    await play('set_customer_address', customer);
    await play('create_payment_session', customer);
    await play('get_payment_session', session);
    await play('confirm_payment_session', session);
    await play('list_payment_methods', customer);
    await play('get_payment_method', method);
    await play('select_payment_method', customer);

    await play('estimate_signing');
    // with the token the contract and its invoice get the ids of the estimate
    await play('sign_contract');
    await paid(1);
    await play('report_usage');
    await play('report_usage_bulk');

    await play('advance_test_clock', clock);
    await ready();
    await play('estimate_upgrade', { params: { contract_id: ids.movedContract } });
    // with the token the upgrade uses the ids of the estimate
    await play('upgrade_contract', {
      params: { contract_id: ids.movedContract },
      body: { ...exampleChangeRequest, estimate_token: exampleToken },
    });
    await paid(2);
    await play('get_contract', contract);
    await play('get_upcoming_invoice', contract);
    await play('estimate_cancellation', contract);
    await play('list_contracts', { query: `?customer=${ids.customer}` });
    await play('get_contract_timeline', contract);
    await play('get_customer', customer);
    await play('search_customers', { query: `?id=${ids.customer}` });
    await play('get_customer_history', customer);
    await play('list_invoices', { query: `?contract=${ids.contract}` });
    await play('get_invoice', invoice);
    await play('explain_invoice', invoice);
    await play('get_invoice_pdf', invoice);
    await play('list_events', { query: `?object=${ids.invoice}` });
    const figures = (more: string) => ({ query: `?test_clock=${ids.clock}&${more}` });
    await play('report_mrr', figures('from=2026-06-01&to=2026-07-01'));
    await play('list_mrr_moves', figures('from=2026-06-01&to=2026-07-01&move=expansion'));
    await play('report_revenue', figures('from=2026-06-01&to=2026-07-01'));
    await play('report_aging', figures('at=2026-06-16'));
    await play('get_ledger_balance', figures('at=2026-06-16'));
    await play('list_ledger_postings', figures('account=clearing'));
    await play('get_access_entitlement', customer);
    await play('list_usage', { query: `?customer=${ids.customer}` });
    await play('list_usage_periods', contract);
    await play('amend_usage', { params: { event_id: ids.usage } });
    await play('discard_usage', { params: { event_id: ids.usage } });
    await play('get_usage_history', { params: { event_id: ids.usage } });

    await play('check_usage', customer);
    await play('confirm_reservation', { params: { reservation_id: ids.reservation } });
    const { reservation } = await story.call<{ reservation: string }>('check_usage', customer);
    story.names.pair(ids.released, reservation);
    await play('release_reservation', { params: { reservation_id: ids.released } });
    await play('set_usage_limit', customer);
    await play('list_usage_limits', customer);
    await play('delete_usage_limit', { params: { ...customer.params, limit_id: ids.limit } });
    await play('set_usage_alert', customer);
    await play('list_usage_alerts', customer);
    await play('delete_usage_alert', { params: { ...customer.params, alert_id: ids.alert } });

    await play('charge_contract', contract);
    await play('cancel_contract', contract);
    await play('undo_contract_cancellation', contract);
    await story.call('upgrade_contract', {
      ...contract,
      body: { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: ids.team } },
    });
    await play('undo_contract_change', contract);
    await paid(3);
    await play('create_credit_note', invoice);
    await play('get_credit_note_pdf', { params: { invoice_id: ids.invoice, credit_note_id: ids.creditNote } });
    await play('create_wallet_transaction', customer);
    await play('get_wallet', customer);
    await play('create_credit_grant');
    const grant = { params: { grant_id: exampleGrant.id } };
    await play('get_credit_grant', grant);
    await play('list_credit_grants', { query: `?customer=${ids.customer}` });
    await play('get_customer_credit', { ...customer, query: '?currency=usd' });
    await play('list_credit_uses', customer);
    await play('set_top_up', customer);
    await play('list_top_ups', customer);
    await play('delete_top_up', { params: { ...customer.params, top_up_id: ids.topUp } });
    await play('void_credit_grant', grant);

    const flat = { amount: '50.00', strategy_details: { pricing_strategy: 'flat' } };
    const support = {
      slug: 'support',
      internal_name: 'Support',
      strategy: 'plan',
      pricings: [{ currency: 'usd', cycle: 'month', price: flat }],
    };
    const plan = await story.call('save_plan', { body: support });
    const byHand = { is_pending: true, invoice_trigger: 'manual', automatic_payment: false };
    const other = await story.call('sign_contract', {
      body: { customer: ids.customer, plan, currency: 'usd', cycle: 'month', ...byHand },
    });
    story.names.pair(ids.supportContract, other);
    await play('activate_contract', { params: { contract_id: ids.supportContract } });
    await play('make_invoices');
    await play('make_invoices');
    await play('void_invoice', { params: { invoice_id: ids.voidedInvoice } });
    await reach('2026-07-11T00:00:00.000Z');
    const [made = ''] = await story.call<string[]>('make_invoices');
    story.names.pair(ids.supportInvoice, made);
    await play('validate_invoice', { params: { invoice_id: ids.supportInvoice } });
    await play('get_billing_entitlement', { ...customer, query: `?contract_id=${ids.contract}` });
    await play('pay_invoice', { params: { invoice_id: ids.supportInvoice } });
    await reach('2026-08-01T00:00:00.000Z');
    await play('close_usage_period', { params: { contract_id: ids.contract, idx: '2' } });

    await play('archive_plan', { params: { plan_id: ids.team } });
    await play('freeze_customer', customer);
    await story.call('activate_customer', customer);
    await play('detach_payment_method', method);
    for (const what of ['change', 'pause', 'invoicing', 'payment', 'portal', 'tax', 'email']) {
      await play(`set_${what}_preferences`);
      await play(`get_${what}_preferences`);
    }
    const stranger = { params: { customer_id: await story.call('save_customer') } };
    expect(await story.call('erase_customer', stranger)).toMatchObject({ customer: stranger.params.customer_id, ended: null });
    story.played.add('erase_customer');
    await play('send_invoice', invoice);
    await play('create_api_key');
    await play('rotate_api_key', key);
    await play('list_api_keys');
    await play('revoke_api_key', key);
    await play('start_session');
    await play('end_session');

    await play('save_webhook_endpoint');
    await play('get_webhook_endpoint', endpoint);
    await play('list_webhook_endpoints');
    await play('rotate_webhook_secret', endpoint);
    await play('pause_webhook_endpoint', endpoint);
    await story.call('save_webhook_endpoint', { body: { id: ids.endpoint, url: 'http://127.0.0.1:9/', types: [] } });
    await story.call('save_customer', { body: { id: ids.customer, name: 'Ada' } });
    const { hits } = await vendor.api.read('/v1/c/event?direction=backward&limit=1');
    const event = hits[0].id as string;
    await play('resend_event', { params: { event_id: event } });
    // how far it has come, and what was sent, depends on the moment
    const steered = { skip_webhook_event: { event }, replay_webhook_events: { after: event }, open_webhook_endpoint: {} };
    for (const [operation, body] of Object.entries(steered)) {
      expect(await story.call(operation, { ...endpoint, body })).toMatchObject({ url: 'http://127.0.0.1:9/' });
      story.played.add(operation);
    }
    // an event of an earlier step may come late, and is tried before the pause
    const deliveries = await story.call('list_webhook_deliveries', endpoint);
    expect(deliveries).toMatchObject({ hits: expect.arrayContaining([expect.objectContaining({ event, status: 'skipped' })]) });
    story.played.add('list_webhook_deliveries');
    await play('delete_webhook_endpoint', endpoint);

    expect(await story.call('authenticate_customer')).toMatch(/^https?:\/\/[^/]+\/portal\?token=[\w-]{43}$/);
    story.played.add('authenticate_customer');

    expect(routes.map(({ operationId }) => operationId).filter((one) => !story.played.has(one))).toEqual(UNPLAYED);

    const changing = routes.filter(({ method, unaudited }) => method !== 'get' && unaudited === undefined);
    const missing = new Set(changing.map(({ operationId }) => operationId).filter((one) => !UNPLAYED.includes(one)));
    for (const { action } of await everyEntry(vendor.api)) missing.delete(action);
    expect([...missing]).toEqual([]);
  });
});
