import { importSome } from '../../services/import/import-some.ts';
import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { flat, perUnit, plan, planToSave } from '../support/story-catalogue.ts';
import { newVendor } from '../support/vendor.ts';

/** A vendor with a plan of 30.00 a month and a clock that stands at 10 March. */
interface World {
  api: Api;
  clock: string;
  plan: string;
  customer(ref: string, more?: object): object;
  contract(ref: string, customer: string, more?: object): object;
  /** Makes an import of these lines. */
  load(lines: readonly unknown[]): Promise<string>;
  dryRun(id: string, after?: number): Promise<AnyJson>;
  run(id: string): Promise<AnyJson>;
  /** The refused lines: number, code, and what to correct. */
  refused(id: string): Promise<[number, string, Record<string, string>][]>;
  reach(now: string): Promise<void>;
}

async function world(): Promise<World> {
  const { api } = await newVendor();
  const clock = await api.made('/v1/c/test_clock', { now: '2026-03-10T00:00:00Z' });
  const planId = await api.made('/v1/c/plan', planToSave(plan('pro', '30')));
  return {
    api,
    clock,
    plan: planId,
    customer: (ref, more = {}) => ({ type: 'customer', ref, name: 'Ada', test_clock: clock, ...more }),
    contract: (ref, customer, more = { anchor: '2026-01-31T00:00:00Z', billed_until: '2026-03-31T00:00:00Z' }) => ({
      type: 'contract',
      ref,
      customer,
      plan: planId,
      currency: 'usd',
      cycle: 'month',
      ...more,
    }),
    load: async (lines) => {
      const id = await api.made<string>('/v1/c/import', {});
      await api.made(`/v1/c/import/${id}/lines`, { lines: lines.map((line, index) => ({ number: index + 1, line })) });
      return id;
    },
    dryRun: (id, after) => api.made(`/v1/c/import/${id}/start?dry_run=true${after === undefined ? '' : `&after=${after}`}`, {}),
    run: async (id) => {
      await api.made(`/v1/c/import/${id}/start`, {});
      return eventually(async () => {
        const state = await api.read(`/v1/c/import/${id}`);
        expect(state).toMatchObject({ status: 'done' });
        return state;
      });
    },
    refused: async (id) => {
      const { hits } = await api.read(`/v1/c/import/${id}/refused?limit=100`);
      return hits.map(({ line, code, problems }: AnyJson) => [
        line,
        code,
        Object.fromEntries(problems.map(({ field, fix }: AnyJson) => [field, fix])),
      ]);
    },
    reach: async (now) => {
      await api.made(`/v1/c/test_clock/${clock}/advance`, { now });
      await eventually(async () => expect(await api.read(`/v1/c/test_clock/${clock}`)).toMatchObject({ status: 'ready' }));
    },
  };
}

/** The vendor's invoices: the day and the total, oldest first. */
async function invoices(api: Api, filter: string): Promise<string[]> {
  const { hits } = await api.read(`/v1/c/invoice?${filter}`);
  return hits.map(({ invoice }: AnyJson) => `${invoice.date} ${invoice.total}`).toSorted();
}

const contractsOf = async (api: Api, status = 'active'): Promise<AnyJson[]> =>
  (await api.read(`/v1/c/contract?status=${status}&limit=100`)).hits;

describe('an import', () => {
  it('makes customers, contracts and wallets, and the first invoice comes where the contract is billed to', async () => {
    const { api, customer, contract, load, run, reach } = await world();
    const wallet = { type: 'wallet', ref: 'bal_1', customer: 'cus_1', currency: 'usd', amount: '12.50' };
    // in whatever order: a customer comes before those who name it
    const id = await load([wallet, contract('sub_1', 'cus_1'), customer('cus_1', { customer_reference: 'cus_1' })]);
    expect(await run(id)).toMatchObject({ total: 3, done: 3, made: { customers: 1, contracts: 1, wallets: 1 }, refused_total: 0 });
    const [own] = await contractsOf(api);
    expect(own).toMatchObject({
      customer: 'Ada',
      next_cycle_start: '2026-03-31T00:00:00.000Z',
      cycle_start_offset: 30,
      billing_information: { current_period: { start: '2026-02-28T00:00:00.000Z', end: '2026-03-31T00:00:00.000Z' } },
    });
    const { balances, transactions } = await api.read(`/v1/c/customer/${own?.customer_id}/wallet`);
    expect(balances).toMatchObject([{ currency: 'usd', balance: '12.50' }]);
    expect(transactions).toMatchObject([{ kind: 'opening', amount: '12.50' }]);
    await reach('2026-03-30T23:59:59Z');
    expect(await invoices(api, `contract=${own?.id}`)).toEqual([]);
    await reach('2026-03-31T00:00:00Z');
    expect(await invoices(api, `contract=${own?.id}`)).toEqual(['2026-03-31T00:00:00.000Z 30.00']);
    await reach('2026-04-30T00:00:00Z');
    expect(await invoices(api, `contract=${own?.id}`)).toEqual(['2026-03-31T00:00:00.000Z 30.00', '2026-04-30T00:00:00.000Z 30.00']);
  });

  it('charges a quarter that is billed ahead no second time where the units change, now or at the end of the cycle', async () => {
    const { api, customer, contract, load, run, reach } = await world();
    const offer = plan('team', '100', {
      features: { sup: { trigger: 'quarter', price: flat('45') }, seats: { price: perUnit('5', { unit_count: '2' }) } },
    });
    const planId = await api.made('/v1/c/plan', planToSave(offer));
    const stands = { plan: planId, anchor: '2026-01-07T00:00:00Z', billed_until: '2026-04-07T00:00:00Z' };
    const line = (n: number, more: object = {}) => [
      customer(`cus_${n}`),
      contract(`sub_${n}`, `cus_${n}`, { ...stands, custom_billed_until: '2026-07-07T00:00:00Z', ...more }),
    ];
    const late = { billed_until: '2026-03-07T00:00:00Z' };
    const by = (proration: string) => ({ change_rules: { units_up: { when: 'now', proration } } });
    const lines = [...line(1), ...line(2), ...line(3), ...line(4, late), ...line(5, by('difference')), ...line(6, by('none'))];
    expect(await run(await load(lines))).toMatchObject({ refused_total: 0 });
    const [untouched, now, later, lateNow, ...byRules] = (await contractsOf(api)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const changes = (id: string, type: string) =>
      api.made<string>(`/v1/c/contract/${id}/upgrade`, {
        upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '3' }, activation: { type } },
      });
    const ids = [
      untouched?.id,
      await changes(now?.id, 'immediate'),
      await changes(later?.id, 'next_cycle'),
      await changes(lateNow?.id, 'immediate'),
    ];
    expect(byRules).toHaveLength(2);
    for (const { id } of byRules) ids.push(await changes(id, 'immediate'));
    await reach('2026-07-08T00:00:00Z');
    for (const id of ids) {
      const { hits } = await api.read(`/v1/c/invoice?contract=${id}&limit=100`);
      const texts = hits.flatMap(({ invoice, invoice_items }: AnyJson) =>
        invoice_items.map(({ name, total_including_tax }: AnyJson) => `${name} ${invoice.date} ${total_including_tax}`),
      );
      expect(texts.filter((text: string) => /^sup/i.test(text))).toEqual([expect.stringMatching(/ 2026-07-07T00:00:00.000Z 45.00$/)]);
    }
  });

  it.each([
    {
      what: '1 of 30 days of the second and the third whole, after a freeze of 3 days',
      ...{ anchor: '2026-02-28', until: '2026-05-28', frozen: ['2026-03-10T12:00:00Z', '2026-03-13T12:00:00Z'] },
      ...{ next: '2026-05-31', ends: '2026-04-29T00:00:00Z', lines: ['-3.10', '-93.00', '96.10'] },
    },
    {
      what: '0.75 of 31 days of the last, which a freeze of 15 days has made end 16 days later',
      ...{ anchor: '2026-01-20', until: '2026-05-20', frozen: ['2026-04-01T00:00:00Z', '2026-04-16T00:00:00Z'] },
      ...{ next: '2026-06-05', ends: '2026-06-04T06:00:00Z', lines: ['-2.25', '2.25'] },
    },
  ])(
    'gives back what is billed ahead by the months as a freeze has moved them: $what',
    async ({ anchor, until, frozen, next, ends, lines }) => {
      const { api, customer, contract, load, run, reach } = await world();
      const offer = plan('yearly', '0', { cycle: 'year', features: { sup: { trigger: 'month', price: flat('93') } } });
      const day = (date: string) => `${date}T00:00:00Z`;
      const stands = { plan: await api.made('/v1/c/plan', planToSave(offer)), cycle: 'year', anchor: day(anchor) };
      const ahead = { billed_until: day(anchor.replace('2026', '2027')), custom_billed_until: day(until) };
      await run(await load([customer('cus_1'), contract('sub_1', 'cus_1', { ...stands, ...ahead })]));
      const [own] = await contractsOf(api);
      for (const [at, act] of [
        [frozen[0], 'inactivate'],
        [frozen[1], 'activate'],
      ] as const) {
        await reach(at ?? '');
        await api.made(`/v1/c/customer/${own?.customer_id}/${act}`, {});
      }
      expect((await api.read(`/v1/c/contract/${own?.id}/upcoming_invoice`)).at).toBe(`${next}T00:00:00.000Z`);
      await reach(ends);
      await api.made(`/v1/c/contract/${own?.id}/cancel`, { when: { type: 'now' }, credit: true });
      const { hits } = await api.read(`/v1/c/invoice?contract=${own?.id}`);
      const written = hits.flatMap(({ invoice_items }: AnyJson) => invoice_items.map((item: AnyJson) => item.total_including_tax));
      expect(written.toSorted()).toEqual(lines);
    },
  );

  it('gives what is left of the credits of the running cycle: 20.00, and with a change half of 200 less half of 50', async () => {
    const { api, customer, contract, load, run, refused, reach } = await world();
    const gives = (amount: string): Promise<string> =>
      api.made('/v1/c/plan', planToSave(plan(`gives${amount}`, amount, { credits: { amount, expires_after_cycles: 1 } })));
    const [small, large] = [await gives('50'), await gives('200')];
    const stands = { plan: small, anchor: '2026-03-01T00:00:00Z', billed_until: '2026-04-01T00:00:00Z' };
    const line = (n: number, credits: object) => [customer(`cus_${n}`), contract(`sub_${n}`, `cus_${n}`, { ...stands, ...credits })];
    const id = await load([...line(1, { credits_left: '20' }), ...line(2, {}), ...line(3, { credits_left: '50.01' })]);
    expect(await run(id)).toMatchObject({ refused_total: 1 });
    const most = 'give at most 50.00, which the plan gives with a cycle; others are granted by POST /v1/c/credit_grant';
    expect(await refused(id)).toEqual([[6, 'invalid_request', { credits_left: most }]]);
    const own = (await contractsOf(api)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const creditsOf = async ({ customer_id }: AnyJson): Promise<string[]> =>
      (await api.read(`/v1/c/customer/${customer_id}/credit?currency=usd`)).grants.map(
        ({ left, expires_at }: AnyJson) => `${left} to ${expires_at.slice(0, 10)}`,
      );
    expect(await Promise.all(own.map(creditsOf))).toEqual([['20.00 to 2026-04-01'], []]);
    await reach('2026-03-16T12:00:00Z');
    for (const one of own)
      await api.made(`/v1/c/contract/${one.id}/upgrade`, {
        upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: large },
      });
    expect(await Promise.all(own.map(creditsOf))).toEqual([['20.00 to 2026-04-01', '75.00 to 2026-04-01'], ['100.00 to 2026-04-01']]);
  });

  it('changes nothing when it is made again, and refuses a line that says something else under the same ref', async () => {
    const { api, customer, contract, load, run, refused } = await world();
    const lines = [customer('cus_1'), contract('sub_1', 'cus_1')];
    await run(await load(lines));
    const again = await load([...lines].reverse());
    expect(await run(again)).toMatchObject({ total: 2, done: 0, repeated: 2, refused_total: 0 });
    expect(await contractsOf(api)).toHaveLength(1);
    const [own] = await contractsOf(api);
    const other = await load([customer('cus_1', { name: 'Grace' }), customer('cus_2'), customer('cus_2')]);
    expect(await run(other)).toMatchObject({ done: 1, repeated: 1, refused_total: 1 });
    const fix = `has made ${own?.customer_id} by another line: change that by its own call, or give another ref`;
    expect(await refused(other)).toEqual([[1, 'import_line_changed', { ref: fix }]]);
    expect(await api.read(`/v1/c/customer/${own?.customer_id}`)).toMatchObject({ name: 'Ada' });
  });

  it('lists what is wrong by line and field, and carries out the rest', async () => {
    const { api, customer, contract, load, run, refused } = await world();
    const id = await load([
      customer('cus_1', { emails: { main: 'not an address' } }),
      'no object',
      { type: 'invoice', ref: 'in_1' },
      contract('sub_1', 'cus_1'),
      customer('cus_2'),
      contract('sub_2', 'cus_2', { anchor: '2026-01-31T00:00:00Z', billed_until: '2026-03-28T00:00:00Z' }),
      contract('sub_3', 'cus_2', { activation: '2026-03-01T00:00:00Z' }),
      contract('sub_4', 'cus_2', { trial_end: '2026-03-14T12:00:00Z' }),
      contract('sub_5', 'cus_2'),
      { type: 'wallet', ref: 'bal_1', customer: 'cus_2', currency: 'usd', amount: '0.001' },
    ]);
    expect(await run(id)).toMatchObject({ total: 10, done: 2, made: { customers: 1, contracts: 1 }, refused_total: 8 });
    const [trial] = await contractsOf(api);
    const boundary = 'give 2026-02-28T00:00:00.000Z or 2026-03-31T00:00:00.000Z: the cycles counted from the anchor end there';
    const unsaid = 'give how far it is billed, and the anchor; in a trial trial_end; before it begins a future activation';
    expect(await refused(id)).toEqual([
      [1, 'invalid_request', { 'emails.main': expect.stringContaining('e-mail') }],
      [2, 'invalid_request', { line: 'must be a JSON object' }],
      [3, 'invalid_request', { type: 'must be customer, contract or wallet' }],
      [4, 'customer_not_found', { customer: 'give the ref of a line of a customer' }],
      [6, 'invalid_request', { billed_until: boundary }],
      [7, 'invalid_request', { billed_until: unsaid }],
      [9, 'contract_exists', { contract: expect.stringContaining(trial?.id) }],
      [10, 'invalid_request', { amount: 'must have at most 2 decimal places' }],
    ]);
  });

  it('is tried out before: the dry run counts and adds up the same, and writes nothing', async () => {
    const { api, customer, contract, load, run, dryRun, clock } = await world();
    const late = { anchor: '2025-12-05T00:00:00Z', billed_until: '2026-02-05T00:00:00Z' };
    const id = await load([
      customer('cus_1'),
      contract('sub_1', 'cus_1'),
      customer('cus_2'),
      contract('sub_2', 'cus_2', late),
      contract('sub_3', 'cus_3'),
      { type: 'wallet', ref: 'bal_1', customer: 'cus_2', currency: 'usd', amount: '12.50' },
      {},
    ]);
    const shown = await dryRun(id);
    expect(shown).toMatchObject({
      made: { customers: 2, contracts: 2, wallets: 1 },
      repeated: 0,
      waiting: 0,
      recurring: [{ currency: 'usd', cycle: 'month', contracts: 2, total: '60.00' }],
      balances: [{ currency: 'usd', total: '12.50' }],
      refused: [
        { line: 5, code: 'customer_not_found' },
        { line: 7, code: 'invalid_request' },
      ],
      after: null,
    });
    expect(await contractsOf(api)).toEqual([]);
    expect((await api.read(`/v1/c/event?limit=100`)).hits.filter(({ type }: AnyJson) => type.startsWith('v1.contract'))).toEqual([]);
    expect(await api.read(`/v1/c/import/${id}`)).toMatchObject({ status: 'open', done: 0 });
    expect(await dryRun(id)).toEqual(shown);
    expect(await run(id)).toMatchObject({ made: shown.made, refused_total: 2 });
    const { currencies } = await api.read(`/v1/c/report/mrr?from=2026-03-01&to=2026-04-01&test_clock=${clock}`);
    expect(currencies).toMatchObject([{ currency: 'usd', start: '30.00', new: '30.00', end: '60.00' }]);
    // the one that came late is billed from its boundary on, each cycle at its own instant
    expect(await invoices(api, 'limit=100')).toEqual(['2026-02-05T00:00:00.000Z 30.00', '2026-03-05T00:00:00.000Z 30.00']);
  });

  it('lets a contract wait for its customer while the test clock advances', async () => {
    const { api, customer, contract, load, dryRun, clock } = await world();
    const setStatus = (status: string) =>
      withTestDatabase((db) => db.query('update test_clock set status = $2 where id = $1', [clock, status]));
    const id = await load([customer('cus_1'), contract('sub_1', 'cus_1')]);
    await setStatus('advancing');
    expect(await dryRun(id)).toMatchObject({ made: { customers: 0, contracts: 0 }, waiting: 2, refused: [], after: null });
    // carried out here, so that it is known when a round has ended
    const round = () =>
      withTestDatabase(async (db) => {
        await db.query(`update import set status = 'running' where id = $1`, [id]);
        return importSome(db, id, null);
      });
    expect(await round()).toMatchObject({ status: 'running', made: 0, refused: 0, isWaiting: true });
    await setStatus('ready');
    expect(await round()).toMatchObject({ status: 'done', made: 2, refused: 0, isWaiting: false });
    expect(await contractsOf(api)).toHaveLength(1);
  });

  it('takes each line once, and none after it is started', async () => {
    const { api, customer, load, run } = await world();
    const id = await load([customer('cus_1')]);
    const lines = (name: string) => ({ lines: [{ number: 1, line: customer('cus_1', { name }) }] });
    expect(await api.made(`/v1/c/import/${id}/lines`, lines('Ada'))).toMatchObject({ total: 1 });
    expect(await api.post(`/v1/c/import/${id}/lines`, lines('Grace'))).toMatchObject({
      status: 409,
      body: { code: 'import_line_changed' },
    });
    // a number that stands twice in one request, too: neither line is dropped in favour of the other
    const twice = (...names: string[]) => ({ lines: names.map((name) => ({ number: 2, line: customer('cus_2', { name }) })) });
    expect(await api.post(`/v1/c/import/${id}/lines`, twice('Bob', 'Carl'))).toMatchObject({
      status: 409,
      body: { code: 'import_line_changed', feedback: { 'line 2': { value: 'is another: give each line a number of its own' } } },
    });
    expect(await api.made(`/v1/c/import/${id}/lines`, twice('Bob', 'Bob'))).toMatchObject({ total: 2 });
    await run(id);
    expect(await api.made(`/v1/c/import/${id}/lines`, lines('Ada'))).toMatchObject({ total: 2, status: 'done' });
    const more = { lines: [{ number: 3, line: customer('cus_3') }] };
    expect(await api.post(`/v1/c/import/${id}/lines`, more)).toMatchObject({ status: 409, body: { code: 'import_state' } });
    const stranger = await newVendor();
    expect((await stranger.api.get(`/v1/c/import/${id}`)).status).toBe(404);
    expect((await stranger.api.get(`/v1/c/import/${id}/refused`)).status).toBe(404);
  });
});
