import { VendorInConsole } from '../support/console-visitor.ts';
import { eventually } from '../support/eventually.ts';
import { sheetsOf } from '../support/pdf.ts';
import type { TestVendor } from '../support/vendor.ts';
import { emailHistory, type Mailing, onClock, person, proPlan, startMailing, writingVendor } from './kit.ts';

let mailing: Mailing;
let vendor: TestVendor;
let plan: string;
beforeAll(async () => {
  mailing = await startMailing();
  const footer = { en: 'Müller & Söhne, Stuttgart', de: 'Müller & Söhne, Stuttgart (Deutschland)' };
  vendor = await writingVendor(mailing, { texts: { footer, invoice: 'Thank you for your business.' } });
  plan = await proPlan(vendor);
});
afterAll(async () => mailing?.end());

const terms = (customer: string, words: Record<string, unknown> = {}) => ({ customer, plan, currency: 'usd', cycle: 'month', ...words });

/** Where the button of an e-mail leads: a page that opens the portal, and spends nothing by itself. */
async function expectOpens(text: string): Promise<string> {
  const link = /https?:\/\/\S+\/portal\?token=\S+/.exec(text)?.[0] ?? '';
  const page = await fetch(link);
  expect(page.status).toBe(200);
  const entered = await fetch(link, { method: 'POST', redirect: 'manual', headers: { origin: new URL(link).origin } });
  expect(entered.status).toBe(303);
  return entered.headers.get('location') ?? '';
}

describe.each([
  ['en', 'Ann'],
  ['de', 'Anna'],
] as const)('in %s', (language, name) => {
  const isGerman = language === 'de';
  const say = (en: string, de: string): string => (isGerman ? de : en);

  it('a trial ends in 3 days, its first invoice comes with its PDF, and its payment with a receipt', async () => {
    const clock = await onClock(vendor, '2025-01-01T00:00:00Z');
    const ann = await person(vendor, name, { language, test_clock: clock.id }, 'sandbox_ok');
    await vendor.api.made('/v1/c/contract', terms(ann.id, { free_trial_days: 14 }));
    await clock.advanceTo('2025-01-11T23:59:00Z');
    expect(mailing.inbox.to(ann.address)).toEqual([]);
    await clock.advanceTo('2025-01-12T00:00:00Z');
    const trial = say('Your trial of Pro ends on 15 January 2025', 'Ihre Testphase von Pro endet am 15. Januar 2025');
    await mailing.inbox.expectSubjects(ann.address, trial);
    await clock.advanceTo('2025-01-15T00:00:00Z');
    const invoice = say('Invoice 1 from Müller & Söhne', 'Rechnung 1 von Müller & Söhne');
    const receipt = say('Receipt for invoice 1', 'Zahlungsbestätigung zu Rechnung 1');
    await mailing.inbox.expectSubjects(ann.address, trial, invoice, receipt);
    const { attachments, text, html } = mailing.inbox.find(ann.address, invoice);
    const [sheet = ''] = await sheetsOf(attachments[0]?.bytes ?? Buffer.alloc(0));
    expect([attachments.map((one) => one.name), sheet.includes('USD 100.00')]).toEqual([['invoice-1.pdf'], true]);
    for (const part of [
      say(`Hello ${name},`, `Guten Tag ${name},`),
      'Thank you for your business.',
      say('Stuttgart', 'Stuttgart (Deutschland)'),
    ]) {
      expect([part, text.includes(part), html.includes(part)]).toEqual([part, true, true]);
    }
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('Müller &amp; Söhne');
    // an e-mail is noted after the mail server has it
    const sent = ['email_sent trial_ending', 'email_sent invoice', 'email_sent receipt'];
    await eventually(async () => expect(await emailHistory(vendor, ann)).toEqual(sent));
  });

  it('an invoice says what prepaid credits have paid of it, and what is left of them: 100 of 130', async () => {
    const clock = await onClock(vendor, '2025-06-01T00:00:00Z');
    const uma = await person(vendor, `Uma${language}`, { language, test_clock: clock.id });
    await vendor.api.made('/v1/c/credit_grant', { customer: uma.id, currency: 'usd', amount: '130', kind: 'promotional' });
    await vendor.api.made('/v1/c/contract', terms(uma.id));
    await mailing.inbox.expectSubjects(uma.address, say('Invoice 1 from Müller & Söhne', 'Rechnung 1 von Müller & Söhne'));
    expect(mailing.inbox.to(uma.address)[0]?.text).toContain(
      say(
        'USD 100.00 of it was paid by your prepaid credits, of which USD 30.00 is left.',
        '100,00 USD davon wurden aus Ihrem vorausbezahlten Guthaben bezahlt; übrig sind 30,00 USD.',
      ),
    );
  });

  it('an unpaid invoice is reminded of 3 days before and 1, 7 and 14 days after it is due, until it is paid', async () => {
    const clock = await onClock(vendor, '2025-06-01T00:00:00Z');
    const bob = await person(vendor, `Bob${language}`, { language, test_clock: clock.id });
    await vendor.api.made('/v1/c/contract', terms(bob.id, { net_days: 10, cycle: 'month' }));
    const subjects = [say('Invoice 1 from Müller & Söhne', 'Rechnung 1 von Müller & Söhne')];
    await mailing.inbox.expectSubjects(bob.address, ...subjects);
    expect(mailing.inbox.to(bob.address)[0]?.text).toContain(
      say('Please pay USD 100.00 by 11 June 2025.', 'Bitte zahlen Sie 100,00 USD bis zum 11. Juni 2025.'),
    );
    subjects.push(say('Invoice 1 is due on 11 June 2025', 'Rechnung 1 ist am 11. Juni 2025 fällig'));
    await clock.advanceTo('2025-06-08T00:00:00Z');
    await mailing.inbox.expectSubjects(bob.address, ...subjects);
    const late = say('Invoice 1 was due on 11 June 2025', 'Rechnung 1 war am 11. Juni 2025 fällig');
    for (const day of ['2025-06-12', '2025-06-18']) {
      await clock.advanceTo(`${day}T00:00:00Z`);
      subjects.push(late);
      await mailing.inbox.expectSubjects(bob.address, ...subjects);
    }
    const [last] = mailing.inbox.to(bob.address).slice(-1);
    expect(await expectOpens(last?.text ?? '')).toMatch(/^\/portal\/invoice\/Inv_[^/]+\/pay$/);
    const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${bob.id}`);
    await vendor.api.made(`/v1/c/invoice/${hits[0].invoice.id}/pay`, { method: 'manual', reference: 'wire' });
    subjects.push(say('Receipt for invoice 1', 'Zahlungsbestätigung zu Rechnung 1'));
    await clock.advanceTo('2025-06-26T00:00:00Z');
    await mailing.inbox.expectSubjects(bob.address, ...subjects);
  });

  it('an open invoice that money in the wallet pays comes with a receipt', async () => {
    const zoe = await person(vendor, `Zoe${language}`, { language });
    const contract: string = await vendor.api.made('/v1/c/contract', terms(zoe.id));
    const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    const { number } = invoice.invoice_number;
    const subject = say(`Invoice ${number} from Müller & Söhne`, `Rechnung ${number} von Müller & Söhne`);
    await mailing.inbox.expectSubjects(zoe.address, subject);
    const wire = { currency: 'usd', amount: '100.00', description: 'by wire' };
    await vendor.api.made(`/v1/c/customer/${zoe.id}/wallet/transaction`, wire);
    const receipt = say(`Receipt for invoice ${number}`, `Zahlungsbestätigung zu Rechnung ${number}`);
    await mailing.inbox.expectSubjects(zoe.address, subject, receipt);
  });

  it('a payment that failed says why, when it is tried again and what follows, with a link to pay', async () => {
    const clock = await onClock(vendor, '2025-01-01T00:00:00Z');
    const cid = await person(vendor, `Cid${language}`, { language, test_clock: clock.id }, 'sandbox_insufficient_funds');
    await vendor.api.made('/v1/c/contract', terms(cid.id, { on_dunning_end: 'freeze' }));
    const invoice = say('Invoice 1 from Müller & Söhne', 'Rechnung 1 von Müller & Söhne');
    const failed = say('The payment of invoice 1 failed', 'Die Zahlung der Rechnung 1 ist fehlgeschlagen');
    await mailing.inbox.expectSubjects(cid.address, invoice, failed);
    const { text } = mailing.inbox.find(cid.address, failed);
    expect(text).toContain(say('There was not enough money in the account.', 'Auf dem Konto war nicht genug Geld.'));
    expect(text).toContain(say('We will try again on 2 January 2025.', 'Wir versuchen es am 2. Januar 2025 noch einmal.'));
    expect(text).toContain(say('your account is paused on that day', 'wird Ihr Konto an diesem Tag pausiert'));
    expect(text).toContain(say('by 8 January 2025', 'bis zum 8. Januar 2025'));
    const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${cid.id}`);
    await vendor.api.made(`/v1/c/invoice/${hits[0].invoice.id}/send`, {});
    await mailing.inbox.expectSubjects(cid.address, invoice, failed, invoice);
    const [again] = mailing.inbox.to(cid.address).slice(-1);
    expect(again?.text).toContain(
      say('will be taken from your payment method on 2 January 2025.', 'werden am 2. Januar 2025 von Ihrer Zahlungsart abgebucht.'),
    );
    await clock.advanceTo('2025-01-08T00:00:00Z');
    const frozen = say('Your account at Müller & Söhne is paused', 'Ihr Konto bei Müller & Söhne ist pausiert');
    await mailing.inbox.expectSubjects(cid.address, invoice, invoice, ...Array(5).fill(failed), frozen);
  });

  it('a credit note comes with its PDF, and a card in its last month is asked for another', async () => {
    const clock = await onClock(vendor, '2099-11-15T00:00:00Z');
    const eve = await person(vendor, `Eve${language}`, { language, test_clock: clock.id }, 'sandbox_ok');
    await vendor.api.made('/v1/c/contract', terms(eve.id, { expiration: '2099-11-20T00:00:00Z' }));
    const subjects = [
      say('Invoice 1 from Müller & Söhne', 'Rechnung 1 von Müller & Söhne'),
      say('Receipt for invoice 1', 'Zahlungsbestätigung zu Rechnung 1'),
    ];
    await mailing.inbox.expectSubjects(eve.address, ...subjects);
    const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${eve.id}`);
    const [item] = hits[0].invoice_items;
    await vendor.api.made(`/v1/c/invoice/${hits[0].invoice.id}/credit_note`, {
      items: [{ invoice_item_id: item.id, amount: '30' }],
      to: 'wallet',
    });
    const note = say('Credit note 1 from Müller & Söhne', 'Gutschrift 1 von Müller & Söhne');
    await mailing.inbox.expectSubjects(eve.address, ...subjects, note);
    expect(mailing.inbox.find(eve.address, note).attachments.map((one) => one.name)).toEqual(['credit-note-1.pdf']);
    await clock.advanceTo('2099-12-01T00:00:00Z');
    const card = say('Your card ending in 4242 expires soon', 'Ihre Karte mit der Endziffer 4242 läuft bald ab');
    await mailing.inbox.expectSubjects(eve.address, ...subjects, note, card);
    expect(mailing.inbox.find(eve.address, card).text).toContain('12/2099');
  });
});

it('customers on test clocks and vendors that have not enabled e-mails write to nobody', async () => {
  const quiet = await writingVendor(mailing, { test_clocks: false });
  const offer = await proPlan(quiet);
  const clock = await onClock(quiet, '2025-01-01T00:00:00Z');
  const onTestClock = await person(quiet, 'Fay', { test_clock: clock.id });
  const onWallClock = await person(quiet, 'Gus');
  for (const { id } of [onTestClock, onWallClock]) await quiet.api.made('/v1/c/contract', { ...terms(id), plan: offer });
  await mailing.inbox.expectSubjects(onWallClock.address, 'Invoice 1 from Müller & Söhne');
  await quiet.api.made('/v1/c/preferences/email', { enabled: false });
  const silent = await person(quiet, 'Hal');
  await quiet.api.made('/v1/c/contract', { ...terms(silent.id), plan: offer });
  const { hits } = await quiet.api.read(`/v1/c/invoice?customer=${silent.id}`);
  const saidOf = async (customer: string): Promise<unknown> => {
    const [first] = (await quiet.api.read(`/v1/c/invoice?customer=${customer}`)).hits;
    const { status, body } = await quiet.api.post(`/v1/c/invoice/${first.invoice.id}/send`, {});
    return [status, body.feedback.request?.value];
  };
  const none = 'no e-mails are sent to this customer:';
  const settings = 'with POST /v1/c/preferences/email';
  expect(await saidOf(silent.id)).toEqual([400, `${none} set enabled and from ${settings}`]);
  expect(await saidOf(onTestClock.id)).toEqual([
    400,
    `${none} set enabled and from ${settings}; set test_clocks ${settings}, since the customer is on a test clock`,
  ]);
  await quiet.api.made('/v1/c/preferences/email', { enabled: true });
  await quiet.api.made(`/v1/c/invoice/${hits[0].invoice.id}/send`, {});
  await mailing.inbox.expectSubjects(silent.address, 'Invoice 2 from Müller & Söhne');
  expect(mailing.inbox.to(onTestClock.address)).toEqual([]);
});

it('an invoice goes out once more by a button of the console, which the audit log names', async () => {
  const ivy = await person(vendor, 'Ivy');
  const contract: string = await vendor.api.made('/v1/c/contract', terms(ivy.id));
  const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
  const subject = `Invoice ${invoice.invoice_number.number} from Müller & Söhne`;
  await mailing.inbox.expectSubjects(ivy.address, subject);
  const visitor = await VendorInConsole.signIn(vendor.apiKey, mailing.stack.servers.baseUrl);
  const address = `/console/invoice/${invoice.id}`;
  expect((await visitor.page(address)).html).toContain(`href="${address}/send"`);
  const sent = await visitor.post(`${address}/send`, { csrf: await visitor.csrf() });
  expect([sent.status, sent.location]).toEqual([303, address]);
  expect(await visitor.text(address)).toContain('The e-mail will be sent in a moment.');
  await mailing.inbox.expectSubjects(ivy.address, subject, subject);
  expect(new Set(mailing.inbox.to(ivy.address).map(({ messageId }) => messageId)).size).toBe(2);
  await eventually(async () => expect(await emailHistory(vendor, ivy)).toEqual(['email_sent invoice', 'email_sent invoice']));
  expect(await visitor.text(`/console/customer/${ivy.id}`)).toMatch(/An e-mail was sent invoice .*An e-mail was sent invoice/);
  const [entry] = (await vendor.api.read(`/v1/c/audit?object=${invoice.id}&actor=console`)).hits;
  expect([entry.action, entry.actor]).toEqual(['console.invoice.send', { type: 'console', id: vendor.keyId }]);
});
