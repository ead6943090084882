import { connect, type Database } from '../../db/connect.ts';
import { eventually } from '../support/eventually.ts';
import { type Temporal, temporalAt } from '../support/temporal.ts';
import type { TestVendor } from '../support/vendor.ts';
import { emailHistory, type Mailing, person, proPlan, startMailing, writingVendor } from './kit.ts';

const SUBJECT = /^Invoice \d+ from Müller & Söhne$/;

let mailing: Mailing;
let vendor: TestVendor;
let plan: string;
let db: Database;
let temporal: Temporal;
beforeAll(async () => {
  mailing = await startMailing();
  vendor = await writingVendor(mailing);
  plan = await proPlan(vendor);
  const { databaseUrl, temporalAddress } = mailing.stack.servers;
  db = await connect({ databaseUrl, databasePool: 2 });
  temporal = temporalAt(temporalAddress);
});
afterAll(async () => {
  await temporal?.close();
  await db?.close();
  await mailing?.end();
});

const signs = ({ id }: { id: string }) => vendor.api.made('/v1/c/contract', { customer: id, plan, currency: 'usd', cycle: 'month' });
const invoiceOf = async ({ id }: { id: string }): Promise<string> =>
  (await vendor.api.read(`/v1/c/invoice?customer=${id}`)).hits[0].invoice.id;

/** The e-mail of this customer that waits, with the tries so far; a test doesn't wait for its time. */
const waiting = ({ id }: { id: string }) =>
  db.query<{ tries: number; reason: string }>(
    `select (detail ->> 'tries')::int as tries, detail ->> 'reason' as reason from agenda where kind = 'email' and customer_id = $1`,
    [id],
  );
async function hurry({ id }: { id: string }): Promise<void> {
  await db.query(`update agenda set due_at = now() where kind = 'email' and customer_id = $1`, [id]);
  await temporal.client.workflow.getHandle(`customer:${id}`).signal('changed');
}

describe('an e-mail', () => {
  it('that is under way when the worker is killed is sent again with the same Message-ID, and all others once', async () => {
    const people = await Promise.all(['Ada', 'Ben', 'Cleo', 'Dora'].map((name) => person(vendor, name)));
    let killed = false;
    mailing.inbox.beforeTaken = async () => {
      if (killed) return;
      killed = true;
      await mailing.stack.kill9('worker');
    };
    for (const one of people) await signs(one);
    await eventually(() => expect([killed, mailing.stack.isRunning('worker')]).toEqual([true, false]));
    mailing.inbox.beforeTaken = async () => {};
    await mailing.stack.restart('worker');
    for (const one of people) {
      await eventually(async () => expect(await emailHistory(vendor, one)).toEqual(['email_sent invoice']), {
        every: 200,
      });
    }
    const sent = people.flatMap(({ address }) => mailing.inbox.to(address));
    const ids = new Set(sent.map(({ messageId }) => messageId));
    expect(sent.every(({ subject }) => SUBJECT.test(subject))).toBe(true);
    expect(ids.size).toBe(people.length);
    // the one under way, and what the process sent side by side for other customers, at most once more
    for (const { address } of people) expect(mailing.inbox.to(address).length).toBeLessThanOrEqual(2);
    expect(sent.length).toBeGreaterThan(people.length);
  });

  it('waits while the mail server is away, and is sent when it is back', async () => {
    const eli = await person(vendor, 'Eli');
    await mailing.inbox.close();
    await signs(eli);
    await eventually(async () => expect(await waiting(eli)).toEqual([{ tries: 1, reason: 'ESOCKET' }]));
    await mailing.inbox.open();
    await hurry(eli);
    await eventually(() => expect(mailing.inbox.to(eli.address)).toHaveLength(1));
    await eventually(async () => expect(await emailHistory(vendor, eli)).toEqual(['email_sent invoice']));
  });

  it('to an address that is refused is tried again, then given up in the history and named by doctor, and can be sent again', async () => {
    const fox = await person(vendor, 'Fox');
    mailing.inbox.refused.add(fox.address);
    await signs(fox);
    await eventually(async () => expect(await waiting(fox)).toEqual([{ tries: 1, reason: 'refused with 550' }]));
    await db.query(`update agenda set detail = detail || '{"tries": 16}' where kind = 'email' and customer_id = $1`, [fox.id]);
    await hurry(fox);
    await eventually(async () => expect(await emailHistory(vendor, fox)).toEqual(['email_failed invoice: refused with 550']));
    const invoice = await invoiceOf(fox);
    const { troubledEmails } = await import('../../db/health/emails.ts');
    const expected = { customerId: fox.id, email: 'invoice', object: invoice, reason: 'given up: refused with 550' };
    expect(await troubledEmails(db)).toEqual([expected]);
    mailing.inbox.refused.clear();
    await vendor.api.made(`/v1/c/invoice/${invoice}/send`, {});
    await eventually(() => expect(mailing.inbox.to(fox.address)).toHaveLength(1));
    await eventually(async () => expect(await troubledEmails(db)).toEqual([]));
  });

  it('is sent at once though the customer’s workflow has not run yet, because it waits for a payment session', async () => {
    const ike = await person(vendor, 'Ike');
    await vendor.api.made(`/v1/c/customer/${ike.id}/payment/session`, { provider: 'sandbox' });
    const handle = temporal.client.workflow.getHandle(`customer:${ike.id}`);
    expect((await eventually(() => handle.describe())).status.name).toBe('RUNNING');
    await signs(ike);
    await eventually(() => expect(mailing.inbox.to(ike.address)).toHaveLength(1));
    expect((await handle.describe()).status.name).toBe('RUNNING');
  });

  it('leaves ids alone in Temporal: neither the address nor the name nor the link', async () => {
    const gil = await person(vendor, 'Gilgamesh');
    await signs(gil);
    await eventually(() => expect(mailing.inbox.to(gil.address)).toHaveLength(1));
    const history = await temporal.client.workflow.getHandle(`customer:${gil.id}`).fetchHistory();
    const payloads = JSON.stringify(history, (_key, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value));
    expect(payloads).toContain('sendEmail');
    expect(payloads).not.toMatch(/gilgamesh|customer\.example|token=/i);
  });

  it('that cannot be written waits with its reason, and those behind it are sent', async () => {
    const one = await person(vendor, 'Eve');
    await db.query(
      `insert into agenda (vendor_id, customer_id, workflow_id, held, kind, subject, due_at, detail)
       select vendor_id, id, 'customer:' || id, false, 'email', 'credit_note:' || id, now() - interval '1 hour', $2 from customer where id = $1`,
      [one.id, JSON.stringify({ email: 'credit_note', object: 'CNote_missing' })],
    );
    await signs(one);
    await eventually(async () => expect(await emailHistory(vendor, one)).toEqual(['email_sent invoice']), { every: 200 });
    expect(await waiting(one)).toEqual([{ tries: 1, reason: expect.stringMatching(/^it could not be written \(\w+\)$/) }]);
    await db.query(`delete from agenda where kind = 'email' and customer_id = $1`, [one.id]);
  });
});
