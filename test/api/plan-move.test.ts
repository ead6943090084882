import type { AnyJson, Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { plan, planToSave } from '../support/story-catalogue.ts';
import { newVendor } from '../support/vendor.ts';

/** A plan of 30.00 a month with contracts of 1 June, a clock that stands at 16 June, and the next version at 60.00. */
interface World {
  api: Api;
  clock: string;
  plan: string;
  sign(more?: object): Promise<{ customer: string; contract: string }>;
  /** Moves the clock and saves the next version. */
  raise(): Promise<void>;
  move(body: object, query?: string): Promise<AnyJson>;
  done(move: string): Promise<AnyJson>;
}

async function world(): Promise<World> {
  const { api } = await newVendor();
  const clock = await api.made('/v1/c/test_clock', { now: '2026-06-01T00:00:00Z' });
  const planId = await api.made('/v1/c/plan', planToSave(plan('pro', '30')));
  const path = `/v1/c/plan/${planId}/move`;
  const ready = () => eventually(async () => expect(await api.read(`/v1/c/test_clock/${clock}`)).toMatchObject({ status: 'ready' }));
  return {
    api,
    clock,
    plan: planId,
    sign: async (more = {}) => {
      const customer = await api.made('/v1/c/customer', { name: 'Ada', test_clock: clock });
      const contract = await api.made('/v1/c/contract', { customer, plan: planId, currency: 'usd', cycle: 'month', ...more });
      return { customer, contract };
    },
    raise: async () => {
      await api.made(`/v1/c/test_clock/${clock}/advance`, { now: '2026-06-16T00:00:00Z' });
      await ready();
      await api.made('/v1/c/plan', { id: planId, pricings: planToSave(plan('pro', '60')).pricings });
    },
    move: (body, query = '') => api.made(path + query, body),
    done: (move) =>
      eventually(async () => {
        const state = await api.read(`${path}/${move}`);
        expect(state).toMatchObject({ status: 'done' });
        return state;
      }),
  };
}

/** Amounts of an invoice's lines and its total, by invoice, in order. */
async function money(api: Api, contract: string): Promise<unknown[]> {
  const { hits } = await api.read(`/v1/c/invoice?contract=${contract}`);
  return hits.map(({ invoice, invoice_items }: AnyJson) => [
    invoice.total,
    invoice.due_date,
    invoice_items.map(({ name, total_including_tax }: AnyJson) => [name, total_including_tax]),
  ]);
}

describe('a move of a plan’s contracts', () => {
  it('to its newest version at once costs each what its own upgrade would, as its dry run has said, and lists who is refused', async () => {
    const at = await world();
    const { api } = at;
    const [one, two, single, frozen, pending] = await Promise.all(Array.from({ length: 5 }, () => at.sign()));
    const later = await at.sign();
    const waiting = await at.sign({ is_pending: true });
    const cheap = await api.made('/v1/c/plan', planToSave(plan('cheap', '10')));
    await at.raise();
    const current = await at.sign();
    const toCheap = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: cheap } };
    await api.made(`/v1/c/contract/${later.contract}/upgrade`, toCheap);
    await api.made(`/v1/c/customer/${frozen?.customer}/inactivate`);
    const upgrade = { upgrade_strategy: 'new_plan', plan_id: at.plan, activation: { type: 'immediate' } };
    const alone = await api.made(`/v1/c/contract/${single?.contract}/upgrade`, { upgrade_configuration: upgrade });

    const run = await at.move({ when: 'now' }, '?dry_run=true');
    const moved = await at.done(await at.move({ when: 'now' }));

    const refused = [
      { contract: alone, code: 'nothing_changes' },
      { contract: frozen?.contract, code: 'customer_frozen' },
      { contract: later.contract, code: 'change_scheduled' },
      { contract: current.contract, code: 'nothing_changes' },
    ];
    const sorted = (list: AnyJson[]) => list.toSorted((a, b) => a.contract.localeCompare(b.contract));
    // three pay 30.00 more for half of the month; the contract that waits for its activation pays nothing
    expect(run).toMatchObject({ contracts: 4, totals: [{ currency: 'usd', total: '45.00', later: '0.00' }], after: null });
    expect(sorted(run.refused)).toEqual(sorted(refused as AnyJson[]));
    expect(moved).toMatchObject({ total: 8, done: 4, refused_total: 4, plan: at.plan, to: at.plan, when: 'now' });
    expect(sorted(moved.refused)).toEqual(sorted(refused as AnyJson[]));
    for (const { contract } of [one, two, pending].filter((it) => it !== undefined)) {
      const { hits } = await api.read(
        `/v1/c/contract?customer=${(await api.read(`/v1/c/contract/${contract}`)).contract_summary.customer_id}`,
      );
      const fresh = hits.filter(({ status }: AnyJson) => status === 'active');
      expect(fresh).toHaveLength(1);
      expect(await money(api, fresh[0].id)).toEqual(await money(api, alone));
    }
    expect(await api.read(`/v1/c/contract/${waiting.contract}`)).toMatchObject({ contract_summary: { status: 'moved' } });
    expect(await api.read(`/v1/c/contract/${later.contract}`)).toMatchObject({ contract_summary: { status: 'active' } });
  });

  it('at the next cycle schedules a change of each, and its dry run says what the first invoices will cost', async () => {
    const at = await world();
    const signed = [await at.sign(), await at.sign()];
    await at.raise();
    expect(await at.move({ when: 'next_cycle' }, '?dry_run=true')).toEqual({
      contracts: 2,
      totals: [{ currency: 'usd', total: '0.00', later: '120.00' }],
      refused: [],
      after: null,
    });
    expect(await at.done(await at.move({ when: 'next_cycle' }))).toMatchObject({ total: 2, done: 2, refused: [] });
    for (const { contract } of signed) {
      const { past, next } = await at.api.read(`/v1/c/contract/${contract}/timeline`);
      expect(past.map(({ what }: AnyJson) => what)).toContain('v1.contract.change.scheduled');
      expect(next).toContainEqual(expect.objectContaining({ what: 'scheduled_change', at: '2026-07-01T00:00:00.000Z' }));
    }
  });

  it('takes only the contracts that are given, to the plan that is given', async () => {
    const at = await world();
    const [given, other] = [await at.sign(), await at.sign()];
    const max = await at.api.made('/v1/c/plan', planToSave(plan('max', '90')));
    const body = { when: 'now', to: max, contracts: [given.contract, given.contract] };
    expect(await at.move(body, '?dry_run=true')).toMatchObject({ contracts: 1, totals: [{ total: '60.00' }] });
    expect(await at.done(await at.move(body))).toMatchObject({ total: 1, done: 1, to: max });
    expect((await at.api.read(`/v1/c/contract?plan=${max}&status=active`)).total).toBe(1);
    expect(await at.api.read(`/v1/c/contract/${other.contract}`)).toMatchObject({ contract_summary: { status: 'active' } });
  });

  it('refuses a contract of another plan, an archived plan and an unknown one before anything begins', async () => {
    const at = await world();
    const { contract } = await at.sign();
    const other = await at.api.made('/v1/c/plan', planToSave(plan('other', '5')));
    const post = (planId: string, body: object) => at.api.post(`/v1/c/plan/${planId}/move`, body);
    expect(await post(other, { when: 'now', contracts: [contract] })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', feedback: { 'contracts[0]': { value: expect.stringContaining('of this plan') } } },
    });
    expect(await post(at.plan, { when: 'soon' })).toMatchObject({ status: 400, body: { feedback: { when: expect.anything() } } });
    await at.api.made(`/v1/c/plan/${other}/archive`);
    expect(await post(at.plan, { when: 'now', to: other })).toMatchObject({
      status: 409,
      body: { code: 'plan_archived', feedback: { to: { value: 'is archived: give a plan that is sold' } } },
    });
    const foreign = await at.api.made('/v1/c/contract', {
      customer: await at.api.made('/v1/c/customer', { name: 'Bob', test_clock: at.clock }),
      plan: await at.api.made('/v1/c/plan', planToSave(plan('third', '5'))),
      ...{ currency: 'usd', cycle: 'month' },
    });
    for (const contracts of [null, [contract]]) {
      const path = `/v1/c/plan/${at.plan}/move?dry_run=true&after=${foreign}`;
      const value = 'is not a contract of this move';
      expect(await at.api.post(path, { when: 'now', contracts })).toMatchObject({ status: 400, body: { feedback: { after: { value } } } });
    }
    const unknown = other.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
    expect(await post(at.plan, { when: 'now', to: unknown })).toMatchObject({ status: 404, body: { code: 'plan_not_found' } });
    expect(await post(unknown, { when: 'now' })).toMatchObject({ status: 404, body: { code: 'plan_not_found' } });
  });

  it('answers alike for a contract of another vendor and for one that there is not', async () => {
    const at = await world();
    const { contract } = await at.sign();
    const foreign = (await (await world()).sign()).contract;
    const unknown = foreign.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const query of ['', '?dry_run=true']) {
      const answers = [foreign, unknown].map(async (id) => {
        const { status, body } = await at.api.post(`/v1/c/plan/${at.plan}/move${query}`, { when: 'now', contracts: [contract, id] });
        const { request_id: _, ...more } = body;
        return [status, JSON.parse(JSON.stringify(more).replaceAll(id, 'the id'))];
      });
      const [ofOther, ofNone] = await Promise.all(answers);
      expect(ofOther).toEqual(ofNone);
      const feedback = { 'contracts[1]': { value: expect.stringMatching(/^There is no contract the id\./) } };
      expect(ofOther).toMatchObject([404, { code: 'contract_not_found', feedback }]);
    }
  });

  it('stops when it is asked to and goes on later with those that are left and unchanged, each moved once', async () => {
    const at = await world();
    const signed = [];
    for (let n = 0; n < 30; n += 1) signed.push(await at.sign());
    await at.raise();
    const move = await at.move({ when: 'now' });
    const path = `/v1/c/plan/${at.plan}/move/${move}`;
    await eventually(async () => expect((await at.api.read(path)).done).toBeGreaterThan(0), { every: 10 });
    const stopped = await at.api.made<AnyJson>(`${path}/stop`);
    expect(stopped).toMatchObject({ status: 'stopped', total: 30 });
    // the one that was being changed may still be written
    await eventually(async () => {
      const [before, after] = [await at.api.read(path), await at.api.read(path)];
      expect(after).toEqual(before);
      expect(after.done).toBeLessThanOrEqual(stopped.done + 1);
    });
    const max = await at.api.made('/v1/c/plan', planToSave(plan('max', '90')));
    const active = (await at.api.read(`/v1/c/contract?plan=${at.plan}&status=active&limit=100`)).hits.map(({ id }: AnyJson) => id);
    const own = signed.map(({ contract }) => contract).findLast((id) => active.includes(id));
    await at.api.made(`/v1/c/contract/${own}/upgrade`, { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: max } });
    await at.api.made(`${path}/resume`);
    // the one that a caller has changed meanwhile is left as the caller wants it
    expect(await at.done(move)).toMatchObject({ total: 30, done: 29, refused: [{ contract: own, code: 'contract_not_live' }] });
    expect(await at.api.made(`${path}/resume`)).toMatchObject({ status: 'done' });
    const all = await at.api.read(`/v1/c/contract?plan=${at.plan}&limit=100`);
    expect(all.total).toBe(59);
    expect(all.hits.filter(({ status }: AnyJson) => status === 'active')).toHaveLength(29);
    expect(await at.api.read(`/v1/c/contract?plan=${max}&status=active`)).toMatchObject({ total: 1 });
  });
});
