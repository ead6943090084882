import fc from 'fast-check';
import { DAY, type Instant, iso } from '../../../billing/calendar/instant.ts';
import { boundary } from '../../../billing/calendar/rhythm.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { cycleEnd, rhythmCycle, rhythmOf } from '../../../billing/contract/period/time.ts';
import { type Decimal, dec, sum, text } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { runs } from '../../support/runs.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { contractOf, countingIds, type Ledger, liveContracts, periodThatCharges, snapshotOf } from '../../support-billing/ledger.ts';
import { cyclesLater, type SecondCycle } from '../../support-billing/second-calendar.ts';
import { invoicesOf, type Story, signs, waitingOf } from '../../support-billing/story.ts';
import { type Diary, diaries, freeze, offers, snapshots, unfreeze } from './random.ts';

function periodsTile({ contracts, periods }: Ledger): void {
  const began = [...contracts.values()].some(({ began: one }) => one !== null);
  // Rows without length lie between: a change at the very instant a period begins, a row dropped at a change.
  const rows = [...periods.values()].filter(({ from, until }) => until === null || until > from).sort((a, b) => a.from - b.from);
  if (!began) return;
  rows.slice(1).forEach((row, index) => {
    const { until = null, closedAt = null } = rows[index] ?? {};
    // A period that was closed by hand while it ran was charged whole; what happens to the contract afterwards doesn't
    // change that.
    if (until === null || closedAt === null || closedAt >= until) expect(until).toBe(row.from);
  });
}

function moneyAddsUp({ lines, invoices, wallet }: Ledger): void {
  const all = [...lines.values()];
  for (const line of all) {
    for (const amount of [line.subtotal, line.discountAmount, line.totalExcludingTax, line.taxAmount, line.totalIncludingTax]) {
      expect(amount).toBe(moneyText(amount, line.currency));
    }
    if (line.kind !== 'credit' && line.kind !== 'correction') expect(dec(line.totalIncludingTax).gte(0)).toBe(true);
  }
  for (const invoice of invoices) {
    const own = all.filter(({ invoiceId }) => invoiceId === invoice.id);
    const closing = own.filter(({ kind }) => kind === 'wallet');
    const moved = wallet.filter(({ invoiceId }) => invoiceId === invoice.id);
    expect(own.map(({ id }) => id).sort()).toEqual([...invoice.lineIds].sort());
    expect(text(sum(own.map((line) => dec(line.totalIncludingTax))))).toBe(text(dec(invoice.total)));
    expect(moved.map(({ amount }) => amount)).toEqual(closing.map(({ totalIncludingTax }) => totalIncludingTax));
  }
  for (const line of all) {
    const credits = all.filter(({ creditOf }) => creditOf === line.id);
    // a line is given back in one go, but for parts up to ends of the contract that were known then
    expect(credits.filter(({ derivation }) => derivation.until === undefined).length).toBeLessThanOrEqual(1);
    if (credits.length === 0) continue;
    for (const field of ['totalIncludingTax', 'subtotal', 'taxAmount'] as const)
      expect(
        dec(line[field])
          .plus(sum(credits.map((credit) => dec(credit[field]))))
          .gte(0),
      ).toBe(true);
  }
}

function oneLives({ contracts }: Ledger, story: Story): void {
  const live = liveContracts(story.ledger);
  const ended = contractOf(story.ledger, story.id()).status === 'canceled';
  expect(live).toHaveLength(ended ? 0 : 1);
  for (const contract of contracts.values()) {
    if (contract.isSuccessor)
      expect([...contracts.values()].some(({ pendingChange }) => pendingChange?.successorId === contract.id)).toBe(true);
    if (contract.status === 'moved') expect(contracts.has(contract.successorId ?? '')).toBe(true);
  }
}

/**
 * Each event counts in the one line of the period that charges it; what is in no line is in a trial or in a period
 * still open.
 */
function usageIsInOneSum(ledger: Ledger): void {
  const sums = new Map<string, Decimal>();
  for (const { contractId, periodIdx, slug, units } of ledger.used) {
    const charging = periodThatCharges(ledger, contractId, periodIdx, slug);
    if (charging?.status !== 'closed' || charging.idx === 0) continue;
    const key = `${charging.contractId}/usage:${charging.idx}:feature:${slug}`;
    sums.set(key, dec(units).plus(sums.get(key) ?? 0));
  }
  const lines = [...ledger.lines.values()].filter(({ kind }) => kind === 'usage');
  const charged = lines.map((line) => [`${line.contractId}/${line.chargeKey}`, text(dec(String(line.derivation.units)))] as const);
  expect(Object.fromEntries(charged.filter(([, units]) => units !== '0'))).toEqual(
    Object.fromEntries([...sums].filter(([, units]) => !units.isZero()).map(([key, units]) => [key, text(units)])),
  );
}

function nothingIsDueTwice(story: Story, now: Instant): void {
  for (const contract of story.ledger.contracts.values()) {
    if (contract.isSuccessor) continue;
    const { effects } = advance(snapshotOf(story.ledger, contract.id, now), now, countingIds());
    expect(effects).toMatchObject({ lines: [], invoices: [], periods: [], contracts: [], events: [], wallet: [] });
  }
}

test('after every deed of a random life: periods tile, money adds up, one contract lives, nothing is due twice', () => {
  fc.assert(
    fc.property(diaries(), (diary) => {
      snapshots(diary, (story, now) => {
        story.advance(iso(now));
        periodsTile(story.ledger);
        moneyAddsUp(story.ledger);
        oneLives(story.ledger, story);
        nothingIsDueTwice(story, now);
      });
    }),
    runs(),
  );
});

test('usage that isn’t closed by hand early is in exactly one closed sum', () => {
  fc.assert(
    fc.property(diaries(), (diary) => {
      const deeds = diary.deeds.filter(({ type }) => type !== 'close');
      usageIsInOneSum(snapshots({ ...diary, deeds }).ledger);
    }),
    runs(),
  );
});

test('brought up in one step or in many, a life has the same invoices', () => {
  fc.assert(
    fc.property(diaries(), fc.integer({ min: 1, max: 40 }), (diary, days) => {
      const deeds = diary.deeds.filter(({ type }) => type !== 'use');
      const often: Diary = {
        ...diary,
        deeds: deeds.flatMap((deed) =>
          split(deed.wait, days * DAY).map((wait, i, all) =>
            i === all.length - 1 ? { ...deed, wait } : { type: 'advance' as const, wait },
          ),
        ),
      };
      const seldom = snapshots({ ...diary, deeds });
      const many = snapshots(often);
      expect(invoicesOf(many).sort()).toEqual(invoicesOf(seldom).sort());
      expect(waitingOf(many)).toEqual(waitingOf(seldom));
    }),
    runs(),
  );
});

function split(wait: number, step: number): number[] {
  const parts: number[] = [];
  let left = wait;
  for (; left > step && parts.length < 30; left -= step) parts.push(step);
  return [...parts, left];
}

test('a change undone at the same instant nets to zero', () => {
  fc.assert(
    fc.property(diaries({ most: 0, money: fc.constant('usd') }), offers(), fc.integer({ min: 0, max: 200 * DAY }), (diary, other, wait) => {
      const { cycle } = diary.offer.pricing;
      const plain = (one: typeof other) => ({
        ...one,
        plan: { ...one.plan, features: one.plan.features.filter(({ slug }) => slug !== 'setup' && slug !== 'calls') },
        pricing: { ...one.pricing, cycle },
      });
      const story = signs(iso(diary.start), plain(diary.offer), { ...diary.words, configuration: { invoiceTrigger: 'manual' } });
      const date = iso(diary.start + wait);
      story.advance(date);
      const before = story.ledger.lines.size;
      try {
        changes(story, date, changeToPlan(plain(other), { downgradeAllowed: true }));
        const kept = {
          seats:
            diary.offer.pricing.features.seats?.strategy.kind === 'per_unit' ? diary.offer.pricing.features.seats.strategy.unitCount : '1',
        };
        changes(story, date, changeToPlan(plain(diary.offer), { downgradeAllowed: true, units: kept }));
      } catch (error) {
        expect(error).toMatchObject({ code: 'nothing_to_change' });
        return;
      }
      const made = [...story.ledger.lines.values()].slice(before);
      const there = made.filter(({ contractId }) => contractId !== story.id());
      const back = made.filter(({ contractId }) => contractId === story.id());
      const total = (lines: typeof made): string => text(sum(lines.map((line) => dec(line.totalIncludingTax))));
      const charged = (lines: typeof made): string => total(lines.filter(({ kind }) => kind !== 'credit'));
      const credited = (lines: typeof made): string => total(lines.filter(({ kind }) => kind === 'credit'));
      // What the change charged is undone to the cent, and what it gave back comes again to the cent.
      expect(text(dec(charged(there)).plus(dec(credited(back))))).toBe('0');
      expect(total(made)).toBe('0');
    }),
    runs(),
  );
});

test('a freeze moves the end of the period it fell into by its length, and all later periods are counted from there', () => {
  fc.assert(
    fc.property(
      diaries({ most: 0, money: fc.constant('usd') }),
      fc.integer({ min: 1, max: 100 * DAY }),
      fc.integer({ min: 1, max: 100 * DAY }),
      fc.nat(6),
      (diary, wait, length, n) => {
        const story = signs(iso(diary.start), diary.offer, { ...diary.words, trialDays: 0 });
        const from = diary.start + wait;
        story.advance(iso(from));
        const end = cycleEnd(story.contract(), []) ?? 0;
        const next = rhythmCycle(story.contract(), (story.contract().currentIdx ?? 0) + 1);
        freeze(story, from);
        unfreeze(story, from + length);
        const rhythm = rhythmOf(story.contract(), story.ledger.pauses);
        expect(boundary(rhythm, next)).toBe(end + length);
        expect(boundary(rhythm, next + n)).toBe(cyclesLater(end + length, diary.offer.pricing.cycle as SecondCycle, n));
      },
    ),
    runs(),
  );
});
