import type { AnyJson } from '../support/api.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const BERLIN = { line_1: '1 Main St', line_2: null, zip: '10115', city: 'Berlin', state: null, country: 'DE' };
const PATH = '/portal/account';

describe('a customer’s own data in the portal', () => {
  let base: string;
  let vendor: TestVendor;
  let customer: string;
  let cookie: string;

  beforeAll(async () => {
    base = (await servers()).baseUrl;
    vendor = await newVendor('Bricks & Co');
  });

  const makes = async (more: AnyJson = {}) => {
    const data = {
      name: 'Ada <Lovelace>',
      emails: { main: 'ada@example.com', work: 'w@example.com' },
      addresses: { main: BERLIN },
      ...more,
    };
    customer = await vendor.api.made('/v1/c/customer', data);
    const url = await vendor.api.made<string>('/v1/c/customer/authenticate', { id: customer });
    const entered = await fetch(url, { method: 'POST', redirect: 'manual' });
    cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  };
  beforeEach(() => makes());

  const page = async (more: Record<string, string> = {}) => (await fetch(`${base}${PATH}`, { headers: { cookie, ...more } })).text();
  const stored = () => vendor.api.read(`/v1/c/customer/${customer}`);
  const acts = async () =>
    (await vendor.api.read(`/v1/c/customer/${customer}/history`)).hits.map(({ action, actor }: AnyJson) => [action, actor.type, actor.id]);

  const DECODED: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  const decoded = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (sign) => DECODED[sign] ?? sign);
  /** What a browser would send of a page's form. */
  const fieldsOf = (text: string): Record<string, string> => {
    const form = /<form method="post" action="\/portal\/account">([\s\S]*?)<\/form>/.exec(text)?.[1] ?? '';
    const inputs = [...form.matchAll(/<input [^>]*name="([^"]+)"[^>]*? value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const selects = [...form.matchAll(/<select [^>]*name="([^"]+)"[\s\S]*?<\/select>/g)].map(([whole, name = '']) => [
      name,
      /value="([^"]*)" selected/.exec(whole)?.[1] ?? '',
    ]);
    return Object.fromEntries([...inputs, ...selects].map(([name, value]) => [name, decoded(value ?? '')]));
  };
  const sends = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${base}${PATH}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: base, ...headers },
      body: new URLSearchParams(fields),
    });
  const changes = async (more: Record<string, string>) => sends({ ...fieldsOf(await page()), ...more });
  /** Texts of the errors at the head of a page, by the field that each leads to. */
  const errorsOf = (text: string) =>
    Object.fromEntries([...text.matchAll(/<a href="#field-([^"]+)">([^<]*)<\/a>/g)].map(([, name, error = '']) => [name, decoded(error)]));

  it('is shown with what is stored', async () => {
    expect(fieldsOf(await page())).toMatchObject({
      name: 'Ada <Lovelace>',
      email: 'ada@example.com',
      billing_email: '',
      'address.line_1': '1 Main St',
      'address.country': 'DE',
      vat_id: '',
      language: '',
    });
    expect(await page()).not.toContain('billing_address');
  });

  it('is changed, with a line in the history as the portal, and other labels stay', async () => {
    const saved = await changes({
      name: 'Ada King',
      billing_email: 'bills@example.com',
      'address.line_2': '2nd floor',
      vat_id: 'DE 123456789',
    });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, PATH]);
    expect(await stored()).toMatchObject({
      name: 'Ada King',
      emails: { main: 'ada@example.com', billing: 'bills@example.com', work: 'w@example.com' },
      addresses: { main: { ...BERLIN, line_2: '2nd floor' } },
      tax_details: { vat_id: 'DE 123456789' },
      language: null,
    });
    expect(await acts()).toEqual([['updated', 'portal', customer]]);
    await changes({ billing_email: '', vat_id: '' });
    expect(await stored()).toMatchObject({ emails: { main: 'ada@example.com', work: 'w@example.com' }, tax_details: null });
  });

  it('leaves no line in the history where nothing is changed', async () => {
    expect((await changes({})).status).toBe(303);
    expect(await acts()).toEqual([]);
  });

  it('says on the next page that future invoices are taxed for the new country, and only then', async () => {
    const noteAfter = async (response: Response) => {
      const note = response.headers.getSetCookie().find((one) => one.startsWith('perennial_portal_note='));
      return page({ cookie: `${cookie}; ${note?.split(';')[0]}` });
    };
    expect(await noteAfter(await changes({ 'address.country': 'AT' }))).toContain('Future invoices are taxed for Austria;');
    expect(await noteAfter(await changes({ name: 'A' }))).toContain('Your details are saved.</p>');
  });

  it('names each wrong field, links to it and keeps all that was typed', async () => {
    const typed = {
      name: '',
      email: 'ada at example',
      billing_email: `${'x'.repeat(330)}@example.com`,
      vat_id: 'DE12345',
      'address.line_1': '',
      'address.line_2': '"><script>alert(1)</script>',
      'address.city': '',
      'address.country': 'XX',
      language: 'fr',
    };
    const refused = await changes(typed);
    expect(refused.status).toBe(422);
    const text = await refused.text();
    expect(errorsOf(text)).toEqual({
      name: 'Enter a name.',
      email: 'This is not an e-mail address. Enter one such as ada@example.com.',
      billing_email: 'This is too long. Shorten it.',
      language: 'Choose one of the languages.',
      'address.line_1': 'Enter street and number.',
      'address.city': 'Enter the city.',
      'address.country': 'Choose the country.',
    });
    for (const name of Object.keys(errorsOf(text))) expect(text).toContain(`id="field-${name}"`);
    expect(fieldsOf(text)).toMatchObject(typed);
    expect(text).toContain('There are 7 problems');
    expect(text).not.toContain('<script>alert');
    expect(await stored()).toMatchObject({ name: 'Ada <Lovelace>', addresses: { main: BERLIN } });
    expect(await acts()).toEqual([]);
  });

  it('checks the form of a VAT id by the country, and only where one of the two is changed', async () => {
    const vatErrors = async (more: Record<string, string>) => errorsOf(await (await changes(more)).text()).vat_id;
    const wrong = 'This is not how a VAT id of Germany is written. Check it, or leave the field empty.';
    expect(await vatErrors({ vat_id: 'DE12345' })).toBe(wrong);
    expect(await vatErrors({ vat_id: 'ATU12345678' })).toBe(wrong);
    expect(await vatErrors({ vat_id: 'atu12345678', 'address.country': 'AT' })).toBeUndefined();
    expect(await vatErrors({ 'address.country': 'GR' })).toContain('Greece');
    expect(await vatErrors({ vat_id: 'CHE-123.456.789 MWST', 'address.country': 'CH' })).toBeUndefined();
    await makes({ tax_details: { vat_id: 'unusual' } });
    expect((await changes({ name: 'Ada' })).status).toBe(303);
  });

  it('takes no e-mail address and no address away, and asks for a whole address where one is begun', async () => {
    const empty = { 'address.line_1': '', 'address.zip': '', 'address.city': '', 'address.country': '' };
    expect(Object.keys(errorsOf(await (await changes({ email: '', ...empty })).text()))).toEqual([
      'email',
      'address.line_1',
      'address.city',
      'address.country',
    ]);
    await makes({ emails: {}, addresses: {} });
    expect((await changes({ name: 'No address' })).status).toBe(303);
    expect(Object.keys(errorsOf(await (await changes({ 'address.city': 'Wien' })).text()))).toEqual(['address.line_1', 'address.country']);
    expect((await changes({ 'address.line_1': 'Ring 1', 'address.city': 'Wien', 'address.country': 'AT' })).status).toBe(303);
    expect((await stored()).addresses).toEqual({ main: { ...BERLIN, line_1: 'Ring 1', zip: '', city: 'Wien', country: 'AT' } });
  });

  it('has the address that invoices use, also without the label main, and the billing one where there is one', async () => {
    const paris = { ...BERLIN, city: 'Paris', country: 'FR' };
    await makes({ addresses: { office: BERLIN, billing: paris } });
    expect(fieldsOf(await page())).toMatchObject({ 'address.city': 'Berlin', 'billing_address.city': 'Paris' });
    await changes({ 'address.zip': '10117', 'billing_address.city': 'Lyon' });
    expect((await stored()).addresses).toEqual({ office: { ...BERLIN, zip: '10117' }, billing: { ...paris, city: 'Lyon' } });
  });

  it('saves nothing where the data were changed elsewhere meanwhile, says so, and saves when it is confirmed again', async () => {
    const fields = fieldsOf(await page());
    await vendor.api.made('/v1/c/customer', { id: customer, customer_reference: 'unseen', tax_details: { vat_id: 'DE123456789' } });
    const refused = await sends({ ...fields, name: 'Typed' });
    const text = await refused.text();
    expect([refused.status, Object.keys(errorsOf(text))]).toEqual([422, ['name']]);
    expect(errorsOf(text).name).toContain('changed elsewhere');
    expect(await stored()).toMatchObject({ name: 'Ada <Lovelace>', tax_details: { vat_id: 'DE123456789' } });
    const again = await sends(fieldsOf(text));
    expect([again.status, (await stored()).name]).toEqual([303, 'Typed']);
  });

  it('is in the language that the customer chooses for itself, with the countries in that language', async () => {
    const saved = await changes({ language: 'de' });
    expect(saved.headers.getSetCookie().join('\n')).toContain('perennial_portal_language=de;');
    expect((await stored()).language).toBe('de');
    const german = await page();
    expect(german).toContain('<html lang="de">');
    expect(german).toMatch(/<option value="AT">Österreich<\/option>/);
    expect(fieldsOf(german).language).toBe('de');
  });

  it('is read-only while the account is paused', async () => {
    const fields = fieldsOf(await page());
    await vendor.api.made(`/v1/c/customer/${customer}/inactivate`, {});
    const paused = await page();
    expect(paused).toContain('1 Main St');
    expect(paused).not.toContain('action="/portal/account"');
    const refused = await sends({ ...fields, name: 'Nothing' });
    expect([refused.status, (await stored()).name]).toEqual([409, 'Ada <Lovelace>']);
    expect(await refused.text()).toContain('Your account is paused, so nothing can be changed.');
  });

  it('is changed by no form without its secret, or of another site or customer', async () => {
    const fields = fieldsOf(await page());
    const { csrf: _csrf, ...without } = fields;
    expect((await sends({ ...without, name: 'X' })).status).toBe(403);
    expect((await sends({ ...fields, name: 'X' }, { origin: 'https://evil.example' })).status).toBe(403);
    const first = customer;
    await makes();
    expect((await sends({ ...fields, name: 'X' })).status).toBe(403);
    expect((await vendor.api.read(`/v1/c/customer/${first}`)).name).toBe('Ada <Lovelace>');
    expect((await stored()).name).toBe('Ada <Lovelace>');
  });
});

describe('the language of the portal', () => {
  it('is the customer’s, else what the browser asks for, else the vendor’s', async () => {
    const vendor = await newVendor('Sprachen');
    const language = async (customer: AnyJson, accept: string) => {
      const id = await vendor.api.made('/v1/c/customer', { name: 'Ada', ...customer });
      const url = await vendor.api.made<string>('/v1/c/customer/authenticate', { id });
      const entered = await fetch(url, { method: 'POST', redirect: 'manual' });
      const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const response = await fetch(`${new URL(url).origin}/portal`, { headers: { cookie, 'accept-language': accept } });
      return /<html lang="(\w+)">/.exec(await response.text())?.[1];
    };
    expect(await language({}, 'fr')).toBe('en');
    await vendor.api.made('/v1/c/preferences/portal', { language: 'de' });
    expect(await language({}, 'fr')).toBe('de');
    expect(await language({}, 'fr, en;q=0.5')).toBe('en');
    expect(await language({ language: 'en' }, 'de')).toBe('en');
  });
});
