import { checkLedger } from '../../db/sql/ledger/check.ts';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';
import type { StoryVendor } from '../support/story-vendor.ts';
import { eventsOf } from './gate-support.ts';
import { type CardPayment, dependencies, paysByCard, tellsDispute } from './own-processor.ts';
import { expectsSoundLedger, invoiceOf } from './support.ts';

const FIRST = Date.parse('2025-01-10T12:00:00Z');
const LATER = FIRST + 1_000;
const LAST = FIRST + 2_000;

/** What the vendor's books have of disputed money: held back, lost, and with the processor. */
async function booksOf({ api, clock }: StoryVendor): Promise<Record<string, string>> {
  const { accounts } = await api.read(`/v1/c/ledger/balance?test_clock=${clock.id}`);
  const found = new Map<string, string>(accounts.map(({ account, balance }: AnyJson) => [account, balance]));
  return Object.fromEntries(['disputed', 'losses', 'clearing'].map((account) => [account, found.get(account) ?? '0.00']));
}

const HELD = { disputed: '100.00', losses: '0.00', clearing: '0.00' };
const LOST = { disputed: '0.00', losses: '100.00', clearing: '0.00' };
const WON = { disputed: '0.00', losses: '0.00', clearing: '100.00' };

/** The only dispute as the invoice shows it, as "lost 100.00 2025-01-02" with the day of its end. */
async function shownOf(customer: StoryCustomer): Promise<string> {
  const { disputes } = await invoiceOf(customer, '2025-01-01');
  return disputes.map(({ state, amount, closed }: AnyJson) => [state, amount, closed?.slice(0, 10)].filter(Boolean).join(' ')).join(', ');
}

const expectsEvents = (customer: StoryCustomer, { invoiceId }: CardPayment, ...expected: string[]): Promise<void> =>
  eventually(async () => {
    const events = await eventsOf(customer, invoiceId);
    expect(events.filter((type) => type.startsWith('dispute.'))).toEqual(expected.map((type) => `dispute.${type}`));
  });

describe('a dispute that has ended', () => {
  story('ends another way: what was lost is won, in books, row and events, and lost once more', async ({ on, acme, vendor }) => {
    const payment = await on('2025-01-01', () => paysByCard(acme));
    await on('2025-01-10', async () => {
      await tellsDispute(payment, 'open', { at: FIRST - 1_000 });
      expect(await booksOf(vendor)).toEqual(HELD);
      await tellsDispute(payment, 'lost', { at: FIRST });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual(['lost 100.00 2025-01-10', LOST]);
    });
    await on('2025-01-12', async () => {
      await tellsDispute(payment, 'won', { at: LATER });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual(['won 100.00 2025-01-12', WON]);
      // an old notice that comes late, and the same ones in notices of other names
      await tellsDispute(payment, 'lost', { at: FIRST, one: 'late' });
      await tellsDispute(payment, 'open', { at: FIRST, one: 'old' });
      await tellsDispute(payment, 'open', { at: LAST, one: 'opens' });
      await tellsDispute(payment, 'won', { at: LATER });
      await tellsDispute(payment, 'won', { at: LATER, one: 'reinstated' });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual(['won 100.00 2025-01-12', WON]);
      await expectsEvents(acme, payment, 'opened', 'closed', 'closed');
    });
    await on('2025-01-14', async () => {
      await tellsDispute(payment, 'lost', { at: LAST, one: 'after all' });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual(['lost 100.00 2025-01-14', LOST]);
      await tellsDispute(payment, 'lost', { at: LAST, one: 'again' });
      await expectsEvents(acme, payment, 'opened', 'closed', 'closed', 'closed');
    });
    await expectsSoundLedger(vendor);
  });

  story('in the same second another way: the one that came last counts', async ({ on, acme, vendor }) => {
    const payment = await on('2025-01-01', () => paysByCard(acme));
    await on('2025-01-10', async () => {
      for (const state of ['won', 'lost', 'open'] as const) await tellsDispute(payment, state, { at: FIRST });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual(['lost 100.00 2025-01-10', LOST]);
    });
    await expectsSoundLedger(vendor);
  });

  story('stands as it ended last, in whatever order its notices come', async ({ on, vendor }) => {
    const notices = [
      ['open', FIRST],
      ['lost', LATER],
      ['won', LAST],
    ] as const;
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ];
    await on('2025-01-01', async () => {
      for (const order of orders) {
        const customer = vendor.customer(`Customer ${order.join('')}`);
        const payment = await paysByCard(customer);
        for (const place of order) {
          const [state, at] = notices[place] ?? notices[0];
          for (const one of ['once', 'twice']) await tellsDispute(payment, state, { at, one: `${state}_${one}` });
        }
        expect(await shownOf(customer)).toBe('won 100.00 2025-01-01');
      }
      expect(await booksOf(vendor)).toEqual({ ...WON, clearing: '600.00' });
    });
    await expectsSoundLedger(vendor);
  });
});

describe('a dispute whose amount changes', () => {
  story('holds back what it is about now, and ends with all of it', async ({ on, acme, vendor }) => {
    const bolt = vendor.customer('Bolt');
    await on('2025-01-01', async () => {
      const payment = await paysByCard(acme);
      await tellsDispute(payment, 'open', { amount: '40.00', at: FIRST });
      await tellsDispute(payment, 'open', { amount: '60.00', at: LATER, one: 'more' });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual(['open 60.00', { ...HELD, disputed: '60.00', clearing: '40.00' }]);
      // an old notice that comes late
      await tellsDispute(payment, 'open', { amount: '40.00', at: FIRST, one: 'late' });
      expect(await shownOf(acme)).toBe('open 60.00');
      await tellsDispute(payment, 'lost', { amount: '60.00', at: LAST });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual([
        'lost 60.00 2025-01-01',
        { ...LOST, losses: '60.00', clearing: '40.00' },
      ]);
      await expectsEvents(acme, payment, 'opened', 'closed');
      const won = await paysByCard(bolt);
      await tellsDispute(won, 'open', { amount: '40.00', at: FIRST });
      await tellsDispute(won, 'won', { amount: '60.00', at: LATER });
      expect([await shownOf(bolt), await booksOf(vendor)]).toEqual([
        'won 60.00 2025-01-01',
        { ...LOST, losses: '60.00', clearing: '140.00' },
      ]);
    });
    await expectsSoundLedger(vendor);
  });

  story('with its end, or after it: 40.00, then 70.00 lost of 100.00 disputed', async ({ on, acme, vendor }) => {
    await on('2025-01-01', async () => {
      const payment = await paysByCard(acme);
      await tellsDispute(payment, 'open', { at: FIRST });
      await tellsDispute(payment, 'lost', { amount: '40.00', at: LATER });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual([
        'lost 40.00 2025-01-01',
        { ...LOST, losses: '40.00', clearing: '60.00' },
      ]);
      await tellsDispute(payment, 'lost', { amount: '70.00', at: LAST, one: 'more' });
      expect([await shownOf(acme), await booksOf(vendor)]).toEqual([
        'lost 70.00 2025-01-01',
        { ...LOST, losses: '70.00', clearing: '30.00' },
      ]);
      await expectsEvents(acme, payment, 'opened', 'closed', 'closed');
    });
    await expectsSoundLedger(vendor);
  });
});

describe('the check of the ledger', () => {
  story('finds what is held back for no open dispute, and an open dispute that nothing is held back for', async ({ on, acme, vendor }) => {
    await on('2025-01-01', async () => {
      await tellsDispute(await paysByCard(acme), 'open', { amount: '40.00' });
      await expectsSoundLedger(vendor);
      for (const [change, made] of [
        ["state = 'lost'", '0'],
        ['amount = 60.00', '60.00'],
      ] as const) {
        await dependencies().db.transaction(async (tx) => {
          await tx.query(`update payment_dispute set ${change} where vendor_id = $1`, [vendor.vendorId]);
          expect(await checkLedger(tx, vendor.vendorId)).toMatchObject([
            {
              check: 'what providers hold back is what open disputes are about',
              detail: `40 held back but open disputes make ${made}`,
            },
          ]);
          await tx.query(`update payment_dispute set state = 'open', amount = 40.00 where vendor_id = $1`, [vendor.vendorId]);
        });
      }
    });
    await expectsSoundLedger(vendor);
  });
});
