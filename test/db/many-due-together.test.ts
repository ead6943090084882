import { copyTemplate } from '../../bench/growth/copy.ts';
import { readTemplate } from '../../bench/growth/template.ts';
import { fallDue, makeHerd } from '../../bench/rollover/herd.ts';
import { isReminderDue } from '../../db/sql/agenda/is-reminder-due.ts';
import { type OverduePlace, overdueWorkflows } from '../../db/sql/agenda/overdue-workflows.ts';
import { takeInvoiceReminders, takeMethodReminders } from '../../db/sql/agenda/take-reminders.ts';
import { isPaymentUnderWay } from '../../db/sql/clock/is-payment-under-way.ts';
import { lookAhead } from '../../db/sql/clock/look-ahead.ts';
import { dueOnClock } from '../../db/sql/contract/due-on-clock.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

const MANY = 5_000;
const AT_ONCE = 100;
const CLOCK = 'Clock_of_many';
const AT = Date.UTC(2025, 0, 1);
const LATER = Date.UTC(2040, 0, 1);

const TABLES = ['agenda', 'contract', 'customer', 'payment_method', 'payment_attempt', 'outbox'];
/** A card of each customer, whose reminder is due at the same instant as all others. */
const CARDS = `insert into payment_method (id, vendor_id, customer_id, created, method_type, provider, details, reference, remind_at)
  select 'CPMet_' || id, vendor_id, id, now(), 'card', 'sandbox', '{}', id, $1 from customer`;
/** A payment of each first invoice, of which its bank has said nothing yet. */
const PAYMENTS = `insert into payment_attempt (id, vendor_id, customer_id, invoice_id, provider, origin, amount, currency, status, provider_key, created, ask_at)
  select 'Pay_' || id, vendor_id, customer_id, id, 'sandbox', 'automatic', total, currency, 'processing', id, now(), $1
  from (select distinct on (contract_id) * from invoice order by contract_id, date) i`;

describe(`${MANY} contracts that were due at one instant`, () => {
  let own: OwnDatabase;

  beforeAll(async () => {
    own = await ownDatabase();
    for (const table of TABLES) await own.db.query(`alter table ${table} set (autovacuum_enabled = off)`);
    const herd = await makeHerd(own.db, 1);
    await fallDue(own.db, herd, Date.now() + 3_000);
    const [row] = await own.db.query<{ id: string }>('select customer_id as id from contract where id = any($1::text[])', [herd.ids]);
    await copyTemplate(own.db, await readTemplate(own.db, row?.id ?? ''), { vendorId: herd.vendorId, first: 1, count: MANY - 1 });
    await own.db.query('update agenda set due_at = $1, remind_at = $1', [new Date(AT)]);
    await own.db.query(CARDS, [new Date(AT)]);
    await own.db.query(PAYMENTS, [new Date(AT)]);
    const clock = [CLOCK, herd.vendorId, new Date(AT)];
    await own.db.query('insert into test_clock (id, vendor_id, created, now) values ($1, $2, $3, $3)', clock);
  }, 120_000);
  afterAll(() => own.drop());

  /** What a statement gives, and the rows that it looks at. */
  async function counted<T>(work: (db: ReturnType<typeof countingReads>) => Promise<T>): Promise<{ result: T; read: number }> {
    const counting = countingReads(own.db, TABLES);
    const result = await work(counting);
    return { result, read: counting.read };
  }

  describe.each(['before', 'after'])('%s Postgres has counted the rows', (when) => {
    beforeAll(async () => {
      if (when === 'after') await own.db.query('analyze');
    });

    it('are looked at by the relay some at a time, each once in a sweep', async () => {
      const found: string[] = [];
      let after: OverduePlace | null = null;
      do {
        const { result, read } = await counted((db) => overdueWorkflows(db, after, AT_ONCE));
        expect(read).toBeLessThanOrEqual(3 * AT_ONCE);
        found.push(...result.workflowIds);
        after = result.next;
      } while (after !== null);
      // the first one was signed with a message that nobody has sent
      expect(found).toHaveLength(MANY - 1);
      expect(new Set(found).size).toBe(MANY - 1);
    });

    it('send their reminders in batches that read no more than they send', async () => {
      const { result: invoices, read: ofInvoices } = await counted((db) => takeInvoiceReminders(db, null, AT, AT_ONCE));
      expect(invoices).toHaveLength(AT_ONCE);
      expect(ofInvoices).toBeLessThanOrEqual(6 * AT_ONCE);
      const { result: cards, read: ofCards } = await counted((db) => takeMethodReminders(db, null, AT, AT_ONCE));
      expect(cards).toHaveLength(AT_ONCE);
      expect(ofCards).toBeLessThanOrEqual(6 * AT_ONCE);
    });

    it('are not looked at for the reminders of a test clock whose time is later', async () => {
      const { result, read } = await counted((db) => isReminderDue(db, CLOCK, LATER));
      expect({ result, read }).toEqual({ result: false, read: 0 });
      const { result: cards, read: ofCards } = await counted((db) => takeMethodReminders(db, CLOCK, LATER, AT_ONCE));
      expect({ cards, ofCards }).toEqual({ cards: [], ofCards: 0 });
    });

    it('have payments under way, none of which is looked at for those of a test clock', async () => {
      const { result: isUnderWay, read } = await counted((db) => isPaymentUnderWay(db, CLOCK));
      expect({ isUnderWay, read }).toEqual({ isUnderWay: false, read: 0 });
      const { result: ahead, read: ofAhead } = await counted((db) => lookAhead(db, CLOCK, AT, LATER));
      expect({ ...ahead, ofAhead }).toMatchObject({ next: null, isPaymentUnderWay: false, ofAhead: 0 });
    });

    it.each([1, 2])('are read by a batch of a test clock in %i lanes as far as it bills them, in the order of their ids', async (lanes) => {
      await own.db.query('update agenda set test_clock_id = $1', [CLOCK]);
      if (when === 'after') await own.db.query('analyze agenda');
      const { result, read } = await counted((db) => dueOnClock(db, CLOCK, AT, { lane: 0, lanes }, AT_ONCE)).finally(() =>
        own.db.query('update agenda set test_clock_id = null'),
      );
      expect(result).toHaveLength(AT_ONCE);
      expect(result).toEqual(result.toSorted());
      expect(read).toBeLessThanOrEqual(lanes * 6 * AT_ONCE);
    });
  });
});
