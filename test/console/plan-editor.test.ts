import { VendorInConsole } from '../support/console-visitor.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

type Fields = Record<string, string>;

const ENTITIES: Readonly<Fields> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plainText = (text: string): string => text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/** What a browser sends of the form of a plan. */
function fieldsOf(html: string): Fields {
  const form = html.split('<form').find((part) => part.includes('name="version"')) ?? '';
  const inputs = [...form.matchAll(/<input type="(?:text|hidden)"[^>]* name="([^"]+)" value="([^"]*)"/g)];
  const selects = [...form.matchAll(/<select id="[^"]+" name="([^"]+)"[\s\S]*?<\/select>/g)].map(([whole, name = '']) => [
    whole,
    name,
    (/<option value="([^"]*)" selected/.exec(whole) ?? /<option value="([^"]*)"/.exec(whole))?.[1] ?? '',
  ]);
  return Object.fromEntries([...inputs, ...selects].map(([, name = '', value = '']) => [name, plainText(value)]));
}

const tiers = [{ up_to: '100', unit_price: '0.0333', flat_fee: '1.5' }, { unit_price: '0.005' }];
const EVERY_KIND = {
  slug: 'pro',
  internal_name: 'Pro <2025>',
  external_name: 'Pro',
  strategy: 'plan',
  free_trial_days: 14,
  metadata: { crm: '7' },
  change_rules: { upgrade: { when: 'now', proration: 'full', collect: 'now', credit: 'none' } },
  features: [
    { slug: 'seats', name: 'Seats', charge_trigger: 'year' },
    { slug: 'calls', name: 'API calls' },
    { slug: 'v1.jobs', name: 'Jobs' },
    { slug: 'rooms', name: 'Rooms' },
    { slug: 'sso', name: 'Single sign-on', value: true },
  ],
  pricings: [
    {
      currency: 'usd',
      cycle: 'month',
      free_cycles: 1,
      price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' }, tax_code: 'saas' },
      credits: { amount: '10', expires_after_cycles: 3, rollover_maximum: '4' },
      features: {
        seats: {
          amount: '5',
          free_cycles: 2,
          strategy_details: {
            pricing_strategy: 'per_unit',
            unit_name: 'seat',
            unit_count: '3',
            minimum_units: '1',
            maximum_units: '50',
            batch_size: 5,
            flat_fee: '2',
          },
        },
        calls: {
          amount: '0.01',
          strategy_details: {
            pricing_strategy: 'usage',
            unit_name: 'call',
            over_usage_charge_strategy: 'all_usage_overcharge',
            over_usage_price: '0.02',
            minimum_units: '5',
            maximum_units: '100',
          },
        },
        'v1.jobs': { amount: '0', strategy_details: { pricing_strategy: 'usage_tiered', unit_name: 'job', tier_mode: 'graduated', tiers } },
        rooms: {
          amount: '0',
          strategy_details: { pricing_strategy: 'unit_tiered', unit_name: 'room', unit_count: '2', tier_mode: 'volume', tiers },
        },
      },
    },
    { currency: 'eur', cycle: 'year', price: { amount: '290', strategy_details: { pricing_strategy: 'flat' } } },
  ],
};

describe('the editor of plans', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let plan: string;
  let path: string;

  const send = async (to: string, fields: Fields, by = visitor) => by.post(to, { ...fields, csrf: await by.csrf() });
  const formAt = async (address: string): Promise<Fields> => fieldsOf((await visitor.page(address)).html);

  beforeAll(async () => {
    vendor = await newVendor('Editor');
    plan = await vendor.api.made('/v1/c/plan', EVERY_KIND);
    path = `/console/plan/${plan}/edit`;
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('shows a plan with every kind of price, and changes nothing of it by itself', async () => {
    const review = await send(path, { ...(await formAt(path)), do: 'review' });
    expect([review.status, review.text]).toEqual([200, expect.stringContaining('Nothing changes.')]);
    const before = await vendor.api.read(`/v1/c/plan/${plan}`);
    const saved = await send(`${path}/save`, await formAt(path));
    expect([saved.status, saved.location]).toEqual([303, `/console/plan/${plan}`]);
    expect(await vendor.api.read(`/v1/c/plan/${plan}`)).toEqual(before);
    expect((await vendor.api.read(`/v1/c/plan/${plan}/version`)).total).toBe(1);
  });

  it('adds and removes rows by buttons that keep what was typed, and previews the draft', async () => {
    const typed = { ...(await formAt(path)), internal_name: 'Typed', 'pricings.0.price.amount': '41.00' };
    const added = await send(path, { ...typed, do: 'add features' });
    const fields = fieldsOf(added.html);
    expect([fields.internal_name, fields['features.5.slug']]).toEqual(['Typed', '']);
    const tiered = fieldsOf((await send(path, { ...fields, do: 'add pricings.0.features.2.tiers' })).html);
    expect(tiered['pricings.0.features.2.tiers.2.unit_price']).toBe('');
    const fewer = await send(path, { ...typed, do: 'remove features.0' });
    const left = fieldsOf(fewer.html);
    expect(Object.keys(left).filter((name) => name.includes('features.0.'))).toEqual([]);
    expect([left['features.1.slug'], left['pricings.0.features.1.amount']]).toEqual(['calls', '0.01']);
    expect(fewer.text).toContain('USD 41.00');
    const computed = await send(path, { ...typed, 'used.calls': '250', do: 'update' });
    expect(computed.text).toMatch(/API calls: 250 used USD 5\.00/);
    expect((await vendor.api.read(`/v1/c/plan/${plan}/version`)).total).toBe(1);
  });

  it('names what is wrong at each field in both languages, and keeps what was typed', async () => {
    const wrong = {
      ...(await formAt(path)),
      slug: 'a b',
      'pricings.0.price.amount': 'many',
      'pricings.0.features.0.minimum_units': '60',
      'pricings.0.features.2.tiers.0.up_to': '',
      'features.1.name': '',
    };
    const page = await send(path, { ...wrong, do: 'review' });
    expect(page.status).toBe(422);
    expect(fieldsOf(page.html)['pricings.0.price.amount']).toBe('many');
    for (const name of ['slug', 'pricings.0.price.amount', 'features.1.name']) expect(page.html).toContain(`href="#field-${name}"`);
    expect(page.text).toContain('Give a number such as 10.50.');
    const rules = await send(path, {
      ...(await formAt(path)),
      'pricings.0.features.0.minimum_units': '60',
      'pricings.0.features.2.tiers.0.up_to': '',
      do: 'review',
    });
    expect(rules.html).toContain('id="field-pricings.0.features.0.minimum_units-error">The minimum is above the maximum.');
    expect(rules.html).toContain('id="field-pricings.0.features.2.tiers.0.up_to-error">Only the last tier may have no end.');
    const german = await visitor.post(path, { ...wrong, do: 'review', csrf: await visitor.csrf() }, { 'accept-language': 'de' });
    expect(german.text).toContain('Geben Sie eine Zahl wie 10.50 an.');
    expect((await send(`${path}/save`, wrong)).status).toBe(422);
    expect((await vendor.api.read(`/v1/c/plan/${plan}/version`)).total).toBe(1);
  });

  it('shows what changes and whom it concerns before it saves a new version, and says who did it', async () => {
    const typed = { ...(await formAt(path)), 'pricings.0.price.amount': '35.00' };
    const review = await send(path, { ...typed, do: 'review' });
    expect(review.text).toContain('The plan itself in USD, monthly: USD 29.00 → USD 35.00');
    expect(review.text).toContain('One live contract of this plan keeps what it was signed for');
    expect((await send(`${path}/save`, fieldsOf(review.html))).status).toBe(303);
    const saved = await vendor.api.read(`/v1/c/plan/${plan}`);
    expect(saved.pricings[0].price.amount).toBe('35.00');
    expect([saved.metadata, saved.change_rules.upgrade.proration]).toEqual([{ crm: '7' }, 'full']);
    expect(await visitor.text(`/console/plan/${plan}`)).toContain('The plan was saved.');
    const audit = (await vendor.api.read(`/v1/c/audit?object=${plan}&actor=console`)).hits.at(-1);
    expect([audit.actor, audit.action]).toEqual([{ type: 'console', id: vendor.keyId }, 'console.plan.edit.save']);
    const late = await send(`${path}/save`, { ...typed, internal_name: 'Late' });
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('Somebody has changed the plan since you began.')]);
    expect(fieldsOf(late.html).internal_name).toBe('Late');
    expect((await vendor.api.read(`/v1/c/plan/${plan}`)).internal_name).toBe('Pro <2025>');
  });

  it('keeps one of two changes that are saved at once, and shows the other one’s form again', async () => {
    const id: string = await vendor.api.made('/v1/c/plan', { ...EVERY_KIND, slug: 'twice' });
    const address = `/console/plan/${id}/edit`;
    const began = await formAt(address);
    const names = ['First', 'Second'];
    const [saves] = await withTestDatabase((db) =>
      db.transaction(async (holder) => {
        await holder.query('select 1 from plan where id = $1 for update', [id]);
        const sent = names.map((name) => send(`${address}/save`, { ...began, internal_name: name }));
        await eventually(async () => expect(await withTestDatabase((beside) => waitingFor(holder, beside))).toBe(names.length));
        return [sent];
      }),
    );
    const pages = await Promise.all(saves);
    expect(pages.map(({ status }) => status).sort()).toEqual([303, 409]);
    const loser = pages.findIndex(({ status }) => status === 409);
    const again = fieldsOf(pages[loser]?.html ?? '');
    expect([again.internal_name, again.version]).toEqual([names[loser], '2']);
    expect((await vendor.api.read(`/v1/c/plan/${id}`)).internal_name).toBe(names[1 - loser]);
    expect((await vendor.api.read(`/v1/c/plan/${id}/version`)).total).toBe(2);
    expect((await send(`${address}/save`, again)).status).toBe(303);
  });

  it('makes a plan, with prices of groups too', async () => {
    const fields = {
      ...(await formAt('/console/plans/new')),
      slug: 'grouped',
      internal_name: 'Grouped',
      strategy: 'group',
      'features.0.slug': 'desk',
      'features.0.name': 'Desk',
      'features.0.group': 'office',
      'pricings.0.groups.0.type': 'flat',
      'pricings.0.groups.0.amount': '12',
    };
    const made = await send('/console/plans/new/save', fields);
    expect(made.status).toBe(303);
    const id = made.location?.split('/').at(-1);
    expect((await vendor.api.read(`/v1/c/plan/${id}`)).pricings[0].groups.office.amount).toBe('12.00');
    const again = await send('/console/plans/new/save', { ...fields, internal_name: 'Kept' });
    expect(again.text).toContain('Another plan has this slug.');
    expect(fieldsOf(again.html).internal_name).toBe('Kept');
    expect((await vendor.api.read(`/v1/c/audit?object=${id}&actor=console`)).hits.length).toBe(1);
  });

  it('keeps a value that is the text “true” apart from yes, and says which one is meant', async () => {
    const named = (slug: string, value: string | boolean | null) => ({ slug, name: slug, value });
    const features = [named('said', 'true'), named('given', true), named('not', false), named('none', null)];
    const id: string = await vendor.api.made('/v1/c/plan', { ...EVERY_KIND, slug: 'values', features, pricings: [EVERY_KIND.pricings[1]] });
    const address = `/console/plan/${id}/edit`;
    const values = async () => (await vendor.api.read(`/v1/c/plan/${id}`)).features.map(({ value }: { value: unknown }) => value);
    const typed = await formAt(address);
    expect((await send(address, { ...typed, do: 'review' })).text).toContain('Nothing changes.');
    expect((await send(`${address}/save`, typed)).status).toBe(303);
    expect(await values()).toEqual(['true', true, false, null]);

    const both = { ...typed, 'features.0.value_is': 'yes' };
    for (const page of [await send(address, { ...both, do: 'review' }), await send(`${address}/save`, both)]) {
      expect(page.status).toBe(422);
      expect(page.html).toContain('id="field-features.0.value-error">Leave the text empty, or choose a text as the value.');
    }
    const changed = { 'features.0.value': '', 'features.1.value_is': 'text', 'features.1.value': 'true', 'features.3.value': 'false' };
    const review = await send(address, { ...both, ...changed, do: 'review' });
    for (const change of ['value “true” → said', 'value yes → given']) expect(review.text).toContain(change);
    expect((await send(`${address}/save`, fieldsOf(review.html))).status).toBe(303);
    expect(await values()).toEqual([true, 'true', false, 'false']);
  });

  it('edits nothing by a key that only reads, and nothing of another vendor', async () => {
    const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const reader = await VendorInConsole.signIn(key);
    expect((await reader.get(path)).status).toBe(403);
    expect(await reader.text(`/console/plan/${plan}`)).not.toContain('Change the plan');
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    const fields = await formAt(path);
    for (const [by, status] of [
      [reader, 403],
      [other, 404],
    ] as const) {
      expect((await send(path, { ...fields, do: 'review' }, by)).status).toBe(status);
      expect((await send(`${path}/save`, { ...fields, internal_name: 'Taken' }, by)).status).toBe(status);
    }
    expect((await other.get(path)).status).toBe(404);
    expect((await vendor.api.read(`/v1/c/plan/${plan}`)).internal_name).toBe('Pro <2025>');
  });
});
