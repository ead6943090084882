import { randomUUID } from 'node:crypto';
import { withoutPersonal } from '../../db/sql/audit/personal.ts';
import type { AnyJson } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { withTestDatabase } from '../support/database.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor, feedback, planBody } from './support.ts';

const UNKNOWN = 'Audit_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';

describe('the audit log', () => {
  let vendor: TestVendor;
  beforeEach(async () => {
    vendor = await checkedVendor();
  });

  const entries = async (query: string): Promise<AnyJson[]> => (await vendor.api.read(`/v1/c/audit?limit=100&${query}`)).hits;
  const changesOf = async (query: string) => (await entries(query)).map(({ action, before, after }) => ({ action, before, after }));
  const customer = (more: object = {}) => vendor.api.made('/v1/c/customer', { name: 'Acme', ...more });
  const signed = async (more: object = {}) => {
    const plan = await vendor.api.made('/v1/c/plan', planBody(`p-${randomUUID()}`));
    return vendor.api.made('/v1/c/contract', { customer: await customer(), plan, currency: 'usd', cycle: 'month', ...more });
  };

  it('says which key has changed what of a customer, from what to what', async () => {
    const before = Date.now();
    const id = await customer({ notes: 'first' });
    await vendor.api.made('/v1/c/customer', { id, name: 'Bcme' });
    await vendor.api.made(`/v1/c/customer/${id}/inactivate`, { notes: 'for a while' });
    const hits = await entries(`object=${id}`);
    expect(hits.map(({ actor, object }) => ({ actor, object }))).toEqual(
      hits.map(() => ({ actor: { type: 'key', id: vendor.keyId }, object: id })),
    );
    expect(await changesOf(`object=${id}`)).toEqual([
      { action: 'save_customer', before: null, after: { name: 'Acme', notes: 'first' } },
      { action: 'save_customer', before: { name: 'Acme' }, after: { name: 'Bcme' } },
      { action: 'freeze_customer', before: { status: 'temporary' }, after: { notes: 'for a while', status: 'inactive' } },
    ]);
    for (const { at } of hits) expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
  });

  it('has an entry of its own for what is made, for money, and for preferences, which are the vendor’s', async () => {
    const id = await customer();
    await vendor.api.made(`/v1/c/customer/${id}/wallet/transaction`, { currency: 'usd', amount: '5', description: 'sorry' });
    await vendor.api.made('/v1/c/preferences/invoicing', { automatic_payment: false });
    await vendor.api.made('/v1/c/preferences/tax', { rates: [{ country: 'DE', rate: '0.19' }] });
    await vendor.api.made('/v1/c/preferences/tax', { rates: [{ country: 'DE', rate: '0.16' }] });
    const vendorId = (await entries('')).at(-1)?.object;
    expect(await changesOf(`object=${id}`)).toMatchObject([
      {},
      { action: 'create_wallet_transaction', before: null, after: { currency: 'usd', amount: '5', description: 'sorry' } },
    ]);
    expect(vendorId).toBe(vendor.vendorId);
    expect(await changesOf(`object=${vendorId}`)).toMatchObject([
      { action: 'set_invoicing_preferences', before: { automatic_payment: true }, after: { automatic_payment: false } },
      { action: 'set_tax_preferences', before: null, after: { rates: [{ country: 'DE', rate: '0.19' }] } },
      {
        action: 'set_tax_preferences',
        before: { rates: [{ country: 'DE', rate: '0.19' }] },
        after: { rates: [{ country: 'DE', rate: '0.16' }] },
      },
    ]);
  });

  it('names the contract that was signed, changed and canceled', async () => {
    const contract = await signed();
    await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' }, notes: 'moves away' });
    expect(await changesOf(`object=${contract}`)).toMatchObject([
      { action: 'sign_contract', before: null, after: { cycle: 'month', currency: 'usd' } },
      {
        action: 'cancel_contract',
        before: { status: 'active' },
        after: { status: 'canceled', notes: 'moves away', when: { type: 'now' } },
      },
    ]);
  });

  it('says when a cancellation or a change that waits takes effect, in the words of its request', async () => {
    const contract = await signed();
    const cancel = (more: object) => vendor.api.made(`/v1/c/contract/${contract}/cancel`, more);
    const date = '2099-01-31T12:00:00.000Z';
    await cancel({ when: { type: 'end_of_cycle' } });
    await cancel({ when: { type: 'date', date }, credit: true, notes: 'moves away' });
    await vendor.api.made(`/v1/c/contract/${contract}/cancel_undo`);
    const upgrade_configuration = {
      ...{ upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '9' } },
      activation: { type: 'next_cycle' },
    };
    const successor_id = await vendor.api.made(`/v1/c/contract/${contract}/upgrade`, { upgrade_configuration });
    const atEnd = { when: { type: 'end_of_cycle' }, credit: false, notes: null };
    const onDate = { when: { type: 'date', date }, credit: true, notes: 'moves away' };
    const waiting = (await changesOf(`object=${contract}`)).slice(1);
    expect(waiting).toEqual([
      { action: 'cancel_contract', before: { cancellation: null }, after: { when: atEnd.when, cancellation: atEnd } },
      { action: 'cancel_contract', before: { cancellation: atEnd }, after: { ...onDate, cancellation: onDate } },
      { action: 'undo_contract_cancellation', before: { cancellation: onDate }, after: { cancellation: null } },
      {
        action: 'upgrade_contract',
        before: { pending_change: null },
        after: {
          upgrade_configuration,
          pending_change: {
            ...{ successor_id, upgrade_strategy: 'change_unit_count', is_downgrade: false },
            activation: { type: 'next_cycle' },
          },
        },
      },
    ]);
  });

  it('says what a webhook endpoint was before it was changed, paused and deleted', async () => {
    const url = 'https://hooks.example.com/first';
    const { id } = await vendor.api.made<AnyJson>('/v1/c/webhook_endpoint', { url, types: ['v1.invoice.paid'] });
    await vendor.api.made('/v1/c/webhook_endpoint', { id, url: 'https://hooks.example.com/second', types: [] });
    await vendor.api.made(`/v1/c/webhook_endpoint/${id}/pause`);
    await vendor.api.made(`/v1/c/webhook_endpoint/${id}/open`);
    await vendor.api.made(`/v1/c/webhook_endpoint/${id}/rotate_secret`);
    await vendor.api.made(`/v1/c/webhook_endpoint/${id}/delete`);
    const [second, paused] = ['https://hooks.example.com/second', { status: 'paused', paused_reason: 'paused on request' }];
    expect(await changesOf(`object=${id}`)).toEqual([
      { action: 'save_webhook_endpoint', before: null, after: { url, types: ['v1.invoice.paid'] } },
      { action: 'save_webhook_endpoint', before: { url, types: ['v1.invoice.paid'] }, after: { url: second, types: [] } },
      { action: 'pause_webhook_endpoint', before: { status: 'active', paused_reason: null }, after: paused },
      { action: 'open_webhook_endpoint', before: paused, after: { status: 'active', paused_reason: null } },
      { action: 'rotate_webhook_secret', before: null, after: null },
      { action: 'delete_webhook_endpoint', before: { url: second, types: [], status: 'active' }, after: { status: 'deleted' } },
    ]);
  });

  it('has of contracts that are changed at the same time what became of each', async () => {
    const contracts = await Promise.all(Array.from({ length: 12 }, () => signed()));
    const plan_id = await vendor.api.made('/v1/c/plan', planBody(`p-${randomUUID()}`));
    const upgrade = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id } };
    const made = await Promise.all(contracts.map((id) => vendor.api.made(`/v1/c/contract/${id}/upgrade`, upgrade)));
    for (const [n, contract] of contracts.entries()) {
      expect((await changesOf(`object=${contract}`)).slice(1)).toEqual([
        {
          action: 'upgrade_contract',
          before: { status: 'active', ended: null, successor_id: null },
          after: { ...upgrade, status: 'moved', ended: expect.any(String), successor_id: made[n] },
        },
      ]);
    }
  });

  it('says what time brought, by the system, and what a customer did in the portal', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const id = await customer({ test_clock: clock.id });
    const plan = await vendor.api.made('/v1/c/plan', planBody('timed'));
    const contract = await vendor.api.made('/v1/c/contract', { customer: id, plan, currency: 'usd', cycle: 'month' });
    await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'end_of_cycle' } });
    await clock.advanceTo('2025-02-02T00:00:00Z');
    const ends = (await entries(`object=${contract}`)).at(-1);
    expect(ends).toMatchObject({ actor: { type: 'system', id: null }, action: 'contract.cancellation.completed', after: { id: contract } });
    expect((await entries('actor=system')).map(({ id: one }) => one)).toContain(ends?.id);

    const other = await customer();
    const visitor = await CustomerInPortal.enter(vendor, other);
    const page = await visitor.page('/portal/account');
    await visitor.send(page, '/portal/account', { name: 'Ccme' });
    expect(await entries(`actor=${other}`)).toMatchObject([
      { action: 'portal.account', actor: { type: 'portal', id: other }, object: other, before: { name: 'Acme' }, after: { name: 'Ccme' } },
    ]);
    expect(await entries('actor=portal')).toHaveLength(1);
  });

  it('has nothing of what was refused, and one entry of a request that is repeated', async () => {
    const id = await customer();
    const headers = { 'idempotency-key': randomUUID() };
    for (const _time of [1, 2]) await vendor.api.made('/v1/c/customer', { id, name: 'Once' }, headers);
    for (const _time of [1, 2])
      await vendor.api.made('/v1/c/customer', { name: 'New' }, { 'idempotency-key': `${headers['idempotency-key']}-new` });
    await vendor.api.made(`/v1/c/customer/${id}/inactivate`);
    expect(await vendor.api.post('/v1/c/customer', { id, name: 'Refused' })).toMatchObject({ status: 409 });
    expect(await changesOf(`object=${id}`)).toHaveLength(3);
    expect(await entries('')).toHaveLength(4);
  });

  it('has the exact former value of each of several changes at once', async () => {
    const id = await customer();
    await Promise.all(Array.from({ length: 8 }, (_, n) => vendor.api.made('/v1/c/customer', { id, name: `name ${n}` })));
    const [, ...changes] = await changesOf(`object=${id}`);
    const former = new Map(changes.map(({ before, after }) => [before.name, after.name]));
    const walked = ['Acme'];
    for (let next = former.get('Acme'); next !== undefined; next = former.get(next)) walked.push(next);
    expect(walked).toHaveLength(9);
    expect((await vendor.api.read(`/v1/c/customer/${id}`)).name).toBe(walked.at(-1));
  });

  it('continues after an entry, and refuses an unknown one', async () => {
    const [first, second] = [await customer(), await customer()];
    const [made] = await entries(`object=${first}`);
    expect((await entries(`after=${made?.id}`)).map(({ object }) => object)).toEqual([second]);
    expect((await vendor.api.get(`/v1/c/audit?after=${UNKNOWN}`)).body.code).toBe('audit_entry_not_found');
    expect(feedback(await vendor.api.get('/v1/c/audit?after=x'))).toHaveProperty('after');
    const stranger = (await checkedVendor()).api;
    expect((await stranger.read('/v1/c/audit')).hits).toEqual([]);
    expect((await stranger.get(`/v1/c/audit?after=${made?.id}`)).body.code).toBe('audit_entry_not_found');
  });

  it('has no secret in it', async () => {
    const { api } = vendor;
    const key = await api.made<{ id: string; key: string }>('/v1/c/api_key', { name: 'k', scope: 'full' });
    const rotated = await api.made<{ id: string; key: string }>(`/v1/c/api_key/${key.id}/rotate`);
    const id = await customer();
    const link = new URL(await api.made('/v1/c/customer/authenticate', { id }));
    const session = await api.made<AnyJson>(`/v1/c/customer/${id}/payment/session`, { operation: 'add_method' });
    const plan = await api.made('/v1/c/plan', planBody('estimated'));
    const signing = { customer: id, plan, currency: 'usd', cycle: 'month' };
    const { estimate_token } = await api.made<AnyJson>('/v1/c/contract_estimate', signing);
    await api.made('/v1/c/contract', { ...signing, estimate_token });
    const secrets = [key.key, rotated.key, link.searchParams.get('token'), session.token, estimate_token];
    const kept = await withTestDatabase((db) => db.query('select * from audit where vendor_id = $1', [vendor.vendorId]));
    expect(kept.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(JSON.stringify(kept)).not.toContain(secret);
  });

  it('can’t be changed, but for an erasure, which replaces what is personal alone', async () => {
    const id = await customer({ emails: { main: 'a@x.test' } });
    await withTestDatabase(async (db) => {
      const refused = /the audit log cannot be changed/;
      await expect(db.query('update audit set caller_id = null where object_id = $1', [id])).rejects.toThrow(refused);
      await expect(db.query(`update audit set after = '{}' where object_id = $1`, [id])).rejects.toThrow(refused);
      await expect(db.query('delete from audit where object_id = $1', [id])).rejects.toThrow(refused);
      const [row] = await entries(`object=${id}`);
      expect(row).toMatchObject({ after: { name: 'Acme', emails: { main: 'a@x.test' } } });
      const sets = ['before', 'after'].map((column) => `${column} = ${withoutPersonal(column)}`);
      await db.query(`update audit set ${sets.join(', ')} where object_id = $1`, [id]);
      expect(await entries(`object=${id}`)).toEqual([{ ...row, after: { name: null, emails: null } }]);
    });
  });

  it('loses what is personal at any depth, and nothing else', async () => {
    const given = {
      days: 3,
      buyer: { name: 'Ada', since: 2024, homes: [{ city: 'Rome', rooms: [1, 2] }] },
      lists: [[{ email: 'a@x.test' }], 'b'],
      no: null,
    };
    await withTestDatabase(async (db) => {
      const [row] = await db.query<{ left: object }>(`select ${withoutPersonal('$1::jsonb')} as left`, [JSON.stringify(given)]);
      expect(row?.left).toEqual({
        days: 3,
        buyer: { name: null, since: 2024, homes: [{ city: null, rooms: [1, 2] }] },
        lists: [[{ email: null }], 'b'],
        no: null,
      });
      expect(await db.query(`select ${withoutPersonal('null::jsonb')} as left`)).toEqual([{ left: null }]);
    });
  });
});
