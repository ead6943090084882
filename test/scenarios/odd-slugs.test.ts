import { metered, perUnit, plan, story } from '../support/story.ts';

/** Every object of JavaScript has something of these names, and their plan has it without a price, metered and sold. */
const odd = (slug: string, price: string) =>
  plan(slug, price, {
    features: { constructor: {}, toString: { price: metered('1') }, valueOf: { price: perUnit('5', { unit_count: '2' }) } },
  });

story('features that are called like what every object has are signed, read, used, changed and billed as others', async ({ on, acme }) => {
  const { api } = acme.vendor;
  await on('2025-01-01', () => acme.signs(odd('pro', '10')));
  const path = `/v1/c/contract/${acme.contract.id}`;
  const { plan: sold } = await api.read(path);
  expect(sold.features.map(({ slug, price }: { slug: string; price: unknown }) => [slug, price === null])).toEqual([
    ['constructor', true],
    ['toString', false],
    ['valueOf', false],
  ]);
  expect((await api.read('/v1/c/event')).hits.length).toBeGreaterThan(0);
  expect((await api.read(`/v1/c/entitlement/${await acme.id()}/access`)).plan.features).toHaveLength(3);
  await on('2025-01-10', async () => {
    await acme.uses('toString', '3');
    await acme.changesUnits({ valueOf: '4' });
  });
  await on('2025-01-20', () => acme.changesTo(odd('max', '20')));
  await on('2025-02-01');
  await acme.expectsLines('2025-02-01', 'Max 20.00', 'ToString 3.00', 'ValueOf 20.00');
});

story('usage of a name that is reserved inside is refused as of any feature that there is not', async ({ on, acme, vendor }) => {
  await on('2025-01-01', () => acme.signs(plan('pro', '10', { features: { calls: { price: metered('1') } } })));
  const [row] = await vendor.api.read('/v1/c/plan').then(({ hits }) => hits);
  for (const feature_slug of ['chain:calls', `plan:${row.id}`, 'chain:', `plan:`])
    expect(await vendor.api.post('/v1/c/usage', { customer_id: await acme.id(), feature_slug, units: '1' })).toMatchObject({
      status: 404,
      body: { code: 'feature_not_found' },
    });
  expect(await vendor.api.post('/v1/c/usage', { customer_id: await acme.id(), feature_slug: '/chain/calls', units: '1' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  });
});
