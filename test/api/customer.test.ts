import type { Api } from '../support/api.ts';
import { checkedVendor, feedback } from './support.ts';

const address = { line_1: '1 Main St', city: 'Berlin', zip: '10115', country: 'DE' };
const UNKNOWN = 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';

describe('customers', () => {
  let api: Api;
  beforeAll(async () => {
    api = (await checkedVendor()).api;
  });

  it('are created with every field and read back, absent fields as null', async () => {
    const id = await api.made('/v1/c/customer', {
      name: 'Acme',
      emails: { billing: 'Billing@Acme.test' },
      addresses: { office: { address: '2 Side St', city: 'Köln', zip: '50667', country: 'DE', state: '' }, main: address },
      customer_reference: 'crm-1',
      metadata: { tier: 'gold' },
      notes: 'likes e-mail',
      tax_details: { vat_id: 'DE123456789' },
    });
    expect(await api.read(`/v1/c/customer/${id}`)).toMatchObject({
      id,
      name: 'Acme',
      status: 'temporary',
      emails: { billing: 'Billing@Acme.test' },
      address: { ...address, line_2: null, state: null },
      addresses: { office: { line_1: '2 Side St', state: null } },
      contracts: [],
      tax_details: { vat_id: 'DE123456789' },
      test_clock: null,
    });
  });

  it('keep absent fields, clear null fields and replace maps as a whole', async () => {
    const id = await api.made('/v1/c/customer', { name: 'Before', metadata: { a: '1', b: '2' }, notes: 'old', customer_reference: 'r' });
    expect(await api.made('/v1/c/customer', { id, metadata: { c: '3' }, notes: null })).toBe(id);
    expect(await api.read(`/v1/c/customer/${id}`)).toMatchObject({
      name: 'Before',
      metadata: { c: '3' },
      notes: null,
      customer_reference: 'r',
    });
  });

  it('show their own settings, which are replaced as a whole and cleared by null', async () => {
    const id = await api.made('/v1/c/customer', { name: 'Own', configuration: { automatic_payment: false, invoice_trigger: 'manual' } });
    const own = async () => (await api.read(`/v1/c/customer/${id}`)).configuration;
    expect(await own()).toEqual({
      automatic_payment: false,
      due_date_policy: null,
      invoice_trigger: 'manual',
      net_days: null,
      invoice_threshold: null,
      on_dunning_end: null,
      on_trial_end: null,
      usage_period_closing_policy: null,
    });
    await api.made('/v1/c/customer', { id, configuration: await own() });
    expect(await own()).toMatchObject({ automatic_payment: false, due_date_policy: null });
    await api.made('/v1/c/customer', { id, configuration: { due_date_policy: 'end_of_period' } });
    expect(await own()).toMatchObject({ automatic_payment: null, due_date_policy: 'end_of_period' });
    await api.made('/v1/c/customer', { id, configuration: null });
    expect(await own()).toBeNull();
  });

  it('use the first address when none is labelled main', async () => {
    const id = await api.made('/v1/c/customer', { addresses: { zz: address, a: { ...address, city: 'Köln' } } });
    expect((await api.read(`/v1/c/customer/${id}`)).address.city).toBe('Berlin');
    expect((await api.post(`/v1/c/customer/${id}/address`, { ...address, city: 'Bonn', state: '' })).body).toEqual({
      ...address,
      city: 'Bonn',
      line_2: null,
      state: null,
    });
    expect((await api.read(`/v1/c/customer/${id}`)).address.city).toBe('Bonn');
  });

  it('use the address of the lowest number before other labels when none is labelled main, however they are sent', async () => {
    const given = (label: string) => `"${label}": ${JSON.stringify({ ...address, city: `City of ${label}` })}`;
    const body = (...labels: string[]) => `{"addresses": {${labels.map(given).join(', ')}}}`;
    for (const labels of [
      ['billing', '10', '9'],
      ['9', '10', 'billing'],
    ]) {
      const { body: id } = await api.post('/v1/c/customer', body(...labels));
      const customer = await api.read(`/v1/c/customer/${id}`);
      expect([customer.address.city, Object.keys(customer.addresses)]).toEqual(['City of 9', ['9', '10', 'billing']]);
    }
    const { body: id } = await api.post('/v1/c/customer', body('09', '10', 'main'));
    expect((await api.read(`/v1/c/customer/${id}`)).address.city).toBe('City of main');
  });

  it('are refused with all wrong fields at once, unknown ones too', async () => {
    const response = await api.post('/v1/c/customer', {
      name: 7,
      emails: { a: 'nobody' },
      addresses: { main: { city: 'x' } },
      nmae: 'typo',
    });
    expect(response.status).toBe(400);
    expect(feedback(response)).toMatchObject({
      name: 'must be text, not a number',
      'emails.a': 'must be an e-mail address',
      'addresses.main.country': 'is required',
      'addresses.main.line_1': 'is required',
      nmae: 'is not known here',
    });
  });

  it('need an assigned country code: ZZ, UK and EL are refused with the likely code', async () => {
    const inCountry = (country: string) => api.post('/v1/c/customer', { name: 'x', addresses: { main: { ...address, country } } });
    const field = 'addresses.main.country';
    expect(feedback(await inCountry('ZZ'))).toEqual({ [field]: 'must be an assigned ISO 3166-1 alpha-2 code' });
    expect(feedback(await inCountry('UK'))).toEqual({ [field]: 'must be an assigned ISO 3166-1 alpha-2 code: GB instead of UK' });
    expect(feedback(await inCountry('EL'))).toEqual({ [field]: 'must be an assigned ISO 3166-1 alpha-2 code: GR instead of EL' });
    for (const country of ['GB', 'GR', 'DE']) expect((await inCountry(country)).status).toBe(200);
    const id = await api.made('/v1/c/customer', { name: 'x' });
    expect(await api.post(`/v1/c/customer/${id}/address`, { ...address, country: 'UK' })).toMatchObject({ status: 400 });
  });

  it('are a 404 for an unknown id and a 400 for an id of a wrong form', async () => {
    expect(await api.get(`/v1/c/customer/${UNKNOWN}`)).toMatchObject({ status: 404, body: { code: 'customer_not_found' } });
    expect(await api.get(`/v1/c/customer/${UNKNOWN.replace('Cust', 'Cont')}`)).toMatchObject({ status: 400 });
    expect(await api.get('/v1/c/customer/nobody')).toMatchObject({ status: 400 });
    expect(await api.post('/v1/c/customer', { id: UNKNOWN, name: 'x' })).toMatchObject({ status: 404 });
    expect(await api.post(`/v1/c/customer/${UNKNOWN}/address`, address)).toMatchObject({ status: 404 });
  });

  it('are frozen and activated, with the notes in their history; a second time changes nothing', async () => {
    const id = await api.made('/v1/c/customer', { name: 'Winter' });
    for (const step of ['activate', 'inactivate', 'inactivate']) {
      expect(await api.post(`/v1/c/customer/${id}/${step}`, { notes: step })).toMatchObject({ status: 200, body: null });
    }
    expect(await api.post('/v1/c/customer', { id, name: 'x' })).toMatchObject({ status: 409, body: { code: 'customer_frozen' } });
    expect(await api.post(`/v1/c/customer/${id}/address`, address)).toMatchObject({ status: 409, body: { code: 'customer_frozen' } });
    expect((await api.read(`/v1/c/customer/${id}`)).status).toBe('inactive');
    expect(await api.post(`/v1/c/customer/${id}/activate`)).toMatchObject({ status: 200 });
    const history = (await api.read(`/v1/c/customer/${id}/history`)).hits;
    expect(history.map(({ action, notes }: { action: string; notes: string | null }) => [action, notes])).toEqual([
      ['activated', 'activate'],
      ['frozen', 'inactivate'],
      ['activated', null],
    ]);
  });

  it('that are erased get no portal login, and no write is made about them', async () => {
    const id = await api.made('/v1/c/customer', { name: 'Gone', emails: { main: 'gone@x.test' } });
    await api.made(`/v1/c/customer/${id}/erase`, {});
    const erased = { status: 409, body: { code: 'customer_erased' } };
    for (const [path, body] of [
      ['/v1/c/customer/authenticate', { id }],
      ['/v1/c/customer', { id, name: 'Back' }],
      [`/v1/c/customer/${id}/activate`, {}],
      [`/v1/c/customer/${id}/inactivate`, {}],
    ] as const)
      expect([path, await api.post(path, body)]).toMatchObject([path, erased]);
    expect(await api.post('/v1/c/customer/authenticate', { email: 'gone@x.test' })).toMatchObject({ status: 404 });
  });

  it('are found by each parameter, and only when all given parameters match', async () => {
    const id = await api.made('/v1/c/customer', {
      name: 'Needle & Sons',
      emails: { x: 'Find@Me.test' },
      customer_reference: 'hay-9',
      metadata: { k: 'v' },
    });
    const found = async (query: string) => (await api.read(`/v1/c/customer?${query}`)).hits.map((hit: { id: string }) => hit.id);
    for (const query of [
      `id=${id}`,
      'email=find%40me.TEST',
      'customer_reference=hay-9',
      'search=eedle+%26',
      'search=find%40me',
      'metadata[0]=k',
      'metadata[k]=v',
      'metadata[0]=k&metadata[k]=v&status=temporary',
    ]) {
      expect([query, await found(query)]).toEqual([query, [id]]);
    }
    expect(await found('metadata[k]=other')).toEqual([]);
    expect(await found('search=100%25')).toEqual([]);
    expect(await found('search=needle&status=active')).toEqual([]);
  });

  it('are not searched without a parameter, with an unknown one or with a repeated one', async () => {
    const nothing = await api.get('/v1/c/customer');
    const parameters =
      'id, email, customer_reference, plan, status, search, contract_plan_name, payment_status, metadata, limit, offset, direction';
    expect([nothing.status, feedback(nothing)]).toEqual([400, { query: `give at least one of ${parameters}` }]);
    expect(feedback(await api.get('/v1/c/customer?naem=x'))).toMatchObject({ naem: 'is not known here' });
    expect(feedback(await api.get('/v1/c/customer?status=active&status=inactive'))).toEqual({ status: 'is given twice' });
    expect(feedback(await api.get('/v1/c/customer?limit=101'))).toEqual({ limit: 'must be between 0 and 100' });
  });
});
