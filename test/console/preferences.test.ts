import { VendorInConsole } from '../support/console-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('preferences in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let csrf: string;

  beforeEach(async () => {
    vendor = await newVendor('Preferences');
    visitor = await VendorInConsole.signIn(vendor.apiKey);
    csrf = await visitor.csrf();
  });

  const send = (group: string, fields: Record<string, string>) => visitor.post(`/console/preferences/${group}`, { csrf, ...fields });
  const read = (group: string) => vendor.api.read(`/v1/c/preferences/${group}`);
  const hidden = (page: string): Record<string, string> =>
    Object.fromEntries(
      [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
  /** Sends the form, and then the page that shows what changes. */
  const save = async (group: string, fields: Record<string, string>) => {
    const review = await send(group, fields);
    expect([review.status, review.text]).toEqual([200, expect.stringContaining('What changes')]);
    return send(group, hidden(review.html));
  };

  it('shows all of them, in words', async () => {
    await vendor.api.made('/v1/c/preferences/invoicing', { net_days: 14, number: { prefix: 'A-<1>-'.replace(/[<>]/g, '') } });
    const text = await visitor.text('/console/preferences');
    for (const words of [
      'Days to pay 14',
      'Before the number of an invoice A-1-',
      'To a dearer plan: Charged by time',
      'Write to customers no',
    ])
      expect(text).toContain(words);
    expect((await visitor.page('/console/preferences')).html).toContain('href="/console/preferences/payment"');
  });

  it('shows what changes before it is saved, and saves that and nothing else', async () => {
    const before = await read('invoicing');
    const review = await send('invoicing', { net_days: '30', 'number.prefix': 'INV-' });
    expect(review.text).toMatch(/Days to pay 0 30/);
    expect(review.text).toMatch(/Before the number of an invoice none INV-/);
    expect(await read('invoicing')).toEqual(before);
    const saved = await send('invoicing', hidden(review.html));
    expect([saved.status, saved.location]).toEqual([303, '/console/preferences']);
    expect(await read('invoicing')).toEqual({ ...before, net_days: 30, number: { ...before.number, prefix: 'INV-' } });
    const { hits } = await vendor.api.read(`/v1/c/audit?actor=console&object=${vendor.vendorId}`);
    expect(hits).toEqual([
      expect.objectContaining({ action: 'console.preferences.invoicing', after: expect.objectContaining({ net_days: 30 }) }),
    ]);
  });

  it('saves each kind of field as the API has it', async () => {
    await save('payment', { retry_days: '2, 4', payment_threshold: 'USD 5.00, eur 4.5', on_dunning_end: 'freeze' });
    expect(await read('payment')).toMatchObject({
      retry_days: [2, 4],
      payment_threshold: { usd: '5.00', eur: '4.50' },
      on_dunning_end: 'freeze',
      on_trial_end: 'continue',
    });
    const rules = await read('change');
    await save('change', { 'upgrade.proration': 'difference' });
    expect((await read('change')).change_rules).toEqual({ ...rules.change_rules, upgrade: { ...rules.upgrade, proration: 'difference' } });
    await save('pause', { resume_after_days: '30', usage: 'hold' });
    await save('pause', { resume_after_days: '' });
    expect(await read('pause')).toMatchObject({ resume_after_days: null, usage: 'hold', trial: 'move' });
    await save('email', { from: 'billing@example.com', remind_days: '-3, 7', enabled: 'true' });
    expect(await read('email')).toMatchObject({ enabled: true, from: 'billing@example.com', remind_days: [-3, 7] });
    await save('tax', { policy: 'tax_excluded' });
    expect(await read('tax')).toMatchObject({ policy: 'tax_excluded', rates: [] });
    await save('portal', { color: '#AABBCC', language: 'de' });
    expect(await read('portal')).toMatchObject({ color: '#aabbcc', language: 'de' });
    await save('invoicing', { invoice_threshold: '200' });
    await save('invoicing', { invoice_threshold: '' });
    expect(await read('invoicing')).toMatchObject({ invoice_threshold: null });
  });

  it.each([
    ['invoicing', 'net_days', '121'],
    ['invoicing', 'net_days', 'x"><b>'],
    ['invoicing', 'number.width', '1.5'],
    ['invoicing', 'invoice_threshold', '0'],
    ['payment', 'retry_days', '7, 1'],
    ['payment', 'payment_threshold', 'usd'],
    ['payment', 'on_dunning_end', 'shout'],
    ['pause', 'resume_after_days', '0'],
    ['email', 'from', 'nobody'],
    ['portal', 'color', 'green'],
  ])('names the wrong field of %s, %s, and keeps what was typed: %s', async (group, field, value) => {
    const before = await read(group);
    const wrong = await send(group, { [field]: value });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Nothing was changed')]);
    expect(wrong.html).toContain(`href="#field-${field}"`);
    expect(wrong.html).toContain(`id="field-${field}-error"`);
    expect(wrong.html).toContain(`value="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`);
    expect(await read(group)).toEqual(before);
  });

  it('shows the change again where somebody else has changed the field meanwhile', async () => {
    const review = await send('invoicing', { net_days: '30' });
    await vendor.api.made('/v1/c/preferences/invoicing', { net_days: 7 });
    const again = await send('invoicing', hidden(review.html));
    expect([again.status, again.text]).toEqual([200, expect.stringMatching(/Days to pay 7 30/)]);
    expect((await read('invoicing')).net_days).toBe(7);
    await send('invoicing', hidden(again.html));
    expect((await read('invoicing')).net_days).toBe(30);
    expect((await send('invoicing', { net_days: '30' })).location).toBe('/console/preferences');
  });

  it('says so where somebody else was first, and takes back nothing that it was not asked to change', async () => {
    const shown = hidden((await visitor.page('/console/preferences/invoicing')).html);
    await vendor.api.made('/v1/c/preferences/invoicing', { net_days: 7, number: { prefix: 'A-' } });
    const typed = { ...shown, net_days: '30', 'number.prefix': shown['before.number.prefix'] ?? '', 'number.width': '5' };
    const review = await send('invoicing', typed);
    expect([review.status, review.text]).toEqual([
      200,
      expect.stringMatching(/Somebody has changed this since you began.* Days to pay 7 30/),
    ]);
    expect(review.text).not.toContain('Before the number');
    await send('invoicing', hidden(review.html));
    expect(await read('invoicing')).toMatchObject({ net_days: 30, number: { prefix: 'A-', width: 5 } });
  });

  it('saves what two change of one rule at once, one after the other', async () => {
    const reviews = [await send('change', { 'upgrade.proration': 'difference' }), await send('change', { 'upgrade.when': 'next_cycle' })];
    const saved = await Promise.all(reviews.map((review) => send('change', hidden(review.html))));
    expect(saved.map(({ status }) => status)).toEqual([303, 303]);
    expect((await read('change')).upgrade).toMatchObject({ proration: 'difference', when: 'next_cycle' });
  });

  it('lets a reader see them and change none', async () => {
    const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const reader = await VendorInConsole.signIn(key);
    expect((await reader.page('/console/preferences')).html).not.toContain('href="/console/preferences/invoicing"');
    const fields = { csrf: await reader.csrf(), confirmed: 'yes', net_days: '30', 'before.net_days': '0' };
    expect((await reader.post('/console/preferences/invoicing', fields)).status).toBe(403);
    expect((await read('invoicing')).net_days).toBe(0);
  });
});
