import type { AnyJson, Api } from '../support/api.ts';
import { checkedVendor, feedback, flatPrice, planBody } from './support.ts';

const tiers = [
  { up_to: '100', unit_price: '2', flat_fee: '10' },
  { up_to: null, unit_price: '1', flat_fee: null },
];

describe('the catalogue', () => {
  let api: Api;
  beforeAll(async () => {
    api = (await checkedVendor()).api;
  });

  it('stores every kind of price unchanged', async () => {
    const details = {
      per: {
        pricing_strategy: 'per_unit',
        unit_name: 'seat',
        unit_count: '4',
        minimum_units: '2',
        maximum_units: '10',
        batch_size: 2,
        flat_fee: '1',
      },
      use: {
        pricing_strategy: 'usage',
        unit_name: 'call',
        over_usage_charge_strategy: 'all_usage_overcharge',
        minimum_units: '5',
        maximum_units: '50',
        over_usage_price: '0.0006',
        batch_size: 5,
        flat_fee: '3',
      },
      unit: { pricing_strategy: 'unit_tiered', unit_name: 'box', unit_count: '3', tier_mode: 'graduated', tiers },
      volume: {
        pricing_strategy: 'usage_tiered',
        unit_name: 'gb',
        over_usage_charge_strategy: 'extra_usage_overcharge',
        tier_mode: 'volume',
        tiers,
      },
    };
    const amounts: Record<string, string> = { per: '10', use: '0.0005', unit: '0', volume: '0' };
    const features = Object.fromEntries(
      Object.entries(details).map(([slug, one]) => [slug, { amount: amounts[slug], strategy_details: one }]),
    );
    const id = await api.made('/v1/c/plan', {
      slug: 'all',
      internal_name: 'All',
      strategy: 'feature',
      features: Object.keys(details).map((slug) => ({ slug, name: slug })),
      pricings: [{ currency: 'eur', cycle: 'quarter', features }],
    });
    const plan = await api.read(`/v1/c/plan/${id}`);
    const shown = plan.pricings[0].features;
    expect(shown.per).toMatchObject({ amount: '10.00', strategy_details: { ...details.per, flat_fee: '1.00' } });
    expect(shown.use).toMatchObject({ amount: '0.0005', strategy_details: { ...details.use, flat_fee: '3.00' } });
    expect(shown.unit.strategy_details).toMatchObject({
      unit_count: '3',
      tiers: [{ up_to: '100', unit_price: '2.00', flat_fee: '10.00' }, { up_to: null }],
    });
    expect(shown.volume.strategy_details).toMatchObject({ tier_mode: 'volume' });
    expect(plan).toMatchObject({ status: 'active', free_trial_days: 0, external_name: null, metadata: {} });
  });

  it('takes a plan as a GET shows it, under another slug', async () => {
    const [shown] = (await api.read('/v1/c/plan?slug=all')).hits;
    const { id, status: _status, created: _created, ...plan } = shown;
    const copy = await api.read(`/v1/c/plan/${await api.made('/v1/c/plan', { ...plan, slug: 'all-again' })}`);
    const said = ({ pricings }: AnyJson) => pricings[0].features.use.strategy_details;
    expect(copy.id).not.toBe(id);
    expect(said(copy)).toEqual(said(shown));
  });

  it('keeps what a feature gives in the place of a price, text or boolean, also in its versions', async () => {
    const features = [
      { slug: 'support', name: 'Support', value: 'within a day' },
      { slug: 'audit', name: 'Audit log', value: false },
      { slug: 'sso', name: 'Single sign-on' },
    ];
    const pricings = [{ currency: 'usd', cycle: 'month', price: flatPrice('1') }];
    const id = await api.made('/v1/c/plan', planBody('valued', '1', { features, pricings }));
    const values = (of: AnyJson) => of.features.map(({ value }: { value: unknown }) => value);
    expect(values(await api.read(`/v1/c/plan/${id}`))).toEqual(['within a day', false, null]);
    await api.made('/v1/c/plan', { id, features: [{ ...features[0], value: 'within an hour' }] });
    expect((await api.read(`/v1/c/plan/${id}/version`)).hits.map(values)).toEqual([['within an hour'], ['within a day', false, null]]);
  });

  it('refuses a price beside a value', async () => {
    const features = [{ slug: 'audit', name: 'Audit log', value: true }];
    const pricings = [{ currency: 'usd', cycle: 'month', features: { audit: flatPrice('1') } }];
    const response = await api.post('/v1/c/plan', planBody('both', '1', { features, pricings }));
    expect([response.status, feedback(response)]).toEqual([
      400,
      { 'pricings[0].features.audit': 'leave it out, or the value of the feature' },
    ]);
  });

  it('refuses a plan with invalid prices and names all of them at once', async () => {
    const usage = (more: object) => ({ amount: '1', strategy_details: { pricing_strategy: 'usage', unit_name: 'call', ...more } });
    const response = await api.post('/v1/c/plan', {
      slug: 'bad',
      internal_name: 'Bad',
      strategy: 'feature',
      features: [
        { slug: 'a', name: 'A' },
        { slug: 'b', name: 'B' },
        { slug: 'c', name: 'C', charge_trigger: 'month' },
      ],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          features: {
            a: usage({ minimum_units: '5', maximum_units: '2' }),
            b: { amount: '0', strategy_details: { pricing_strategy: 'usage_tiered', tier_mode: 'volume', tiers: [tiers[1], tiers[0]] } },
            c: usage({}),
            d: flatPrice('1'),
          },
        },
      ],
    });
    expect(response.status).toBe(400);
    expect(Object.keys(feedback(response))).toEqual(
      expect.arrayContaining([
        'pricings[0].features.a.strategy_details.minimum_units',
        'pricings[0].features.b.strategy_details.tiers[0].up_to',
        'pricings[0].features.c.strategy_details.pricing_strategy',
        'pricings[0].features.d',
      ]),
    );
    expect(
      await api.post('/v1/c/plan', planBody('xau', '1', { pricings: [{ currency: 'xau', cycle: 'month', price: flatPrice('1') }] })),
    ).toMatchObject({ status: 400 });
  });

  it('keeps a pricing’s id while its prices are the same, and gives a new id when they change', async () => {
    const id = await api.made('/v1/c/plan', planBody('stable'));
    const [before] = (await api.read(`/v1/c/plan/${id}`)).pricings;
    await api.made('/v1/c/plan', { id, external_name: 'New name', pricings: planBody('stable').pricings });
    const [same] = (await api.read(`/v1/c/plan/${id}`)).pricings;
    await api.made('/v1/c/plan', { id, pricings: planBody('stable', '31').pricings });
    const [changed] = (await api.read(`/v1/c/plan/${id}`)).pricings;
    expect(same.pricing_id).toBe(before.pricing_id);
    expect(changed.pricing_id).not.toBe(before.pricing_id);
  });

  it('refuses a slug that is used already, lists by slug and status, and archives twice with the same result', async () => {
    const id = await api.made('/v1/c/plan', planBody('slug'));
    expect(await api.post('/v1/c/plan', planBody('slug'))).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    for (let n = 0; n < 2; n += 1) expect(await api.made(`/v1/c/plan/${id}/archive`)).toBe(id);
    expect((await api.read('/v1/c/plan?slug=slug&status=archived')).hits).toMatchObject([{ id, status: 'archived' }]);
    expect((await api.read('/v1/c/plan?slug=slug&status=active')).total).toBe(0);
  });

  it('creates, changes, lists and archives discounts', async () => {
    const body = { slug: 'flat-five', name: 'Five off', discount_type: 'flat', amount: '5', duration: 2, currency: 'usd' };
    const id = await api.made('/v1/c/discount', body);
    expect(await api.read(`/v1/c/discount/${id}`)).toMatchObject({ ...body, amount: '5.00', status: 'active' });
    expect(await api.post('/v1/c/discount', { id, name: 'Five less' })).toMatchObject({ status: 200, body: id });
    expect((await api.read('/v1/c/discount?slug=flat-five')).hits).toMatchObject([{ id, name: 'Five less', amount: '5.00' }]);
    expect(await api.post('/v1/c/discount', body)).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
    expect(feedback(await api.post('/v1/c/discount', { ...body, slug: 'x', currency: null }))).toHaveProperty('currency');
    expect(await api.post('/v1/c/discount', { ...body, slug: 'y', discount_type: 'percentage', amount: '101' })).toMatchObject({
      status: 400,
    });
    const percentage = await api.made('/v1/c/discount', { ...body, slug: 'ten', discount_type: 'percentage', amount: '10' });
    expect(await api.read(`/v1/c/discount/${percentage}`)).toMatchObject({ amount: '10' });
    await api.made(`/v1/c/discount/${id}/archive`);
    expect((await api.read('/v1/c/discount?status=archived')).total).toBe(1);
  });
});
