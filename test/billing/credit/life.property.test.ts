import fc from 'fast-check';
import { at, DAY, type Instant } from '../../../billing/calendar/instant.ts';
import { expiresAt, lastsOn } from '../../../billing/credit/expiry.ts';
import { backToGrants, type InvoiceMovement, keptUses } from '../../../billing/credit/give-back.ts';
import { takenBack, takenNewestFirst } from '../../../billing/credit/taken-back.ts';
import type { CoverableInvoice, Grant, LineUse } from '../../../billing/credit/types.ts';
import { useGrants } from '../../../billing/credit/use.ts';
import { runs } from '../../support/runs.ts';
import { cents, num, shownMoney } from '../../support-billing/second-way.ts';

// Grants through everything that moves them. The rules say how much moves; the test carries each cent from one place to
// another, and it can carry only cents that are there.

const START = at('2025-01-01');
const inCents = (text: string): number => Number(cents(num(text)));
const shown = (amount: number): string => shownMoney(BigInt(amount));

/** Where the cents of a grant may be; what paid an invoice is under the invoice's id. */
type Place = 'left' | 'expired' | 'voided' | 'given back' | 'taken back' | `Inv_${number}`;

interface Pocket extends Omit<Grant, 'left'> {
  amount: number;
  places: Map<Place, number>;
  /** in cents, of credits that were bought */
  price: number;
  rollover: string | null;
  end: 'expired' | 'voided' | null;
}

interface Bill {
  id: `Inv_${number}`;
  invoice: CoverableInvoice;
  paid: number;
  /** what credit notes have given back of it */
  noted: number;
  movements: InvoiceMovement[];
  uses: LineUse[];
}

/** A customer in the middle of a story. */
class Book {
  now: Instant = START;
  readonly pockets: Pocket[] = [];
  readonly bills: Bill[] = [];

  moves(pocket: Pocket, amount: number, from: Place, to: Place): void {
    const there = pocket.places.get(from) ?? 0;
    if (amount < 0 || amount > there) throw new Error(`${pocket.id} has ${there} ${from}, not ${amount} for ${to}`);
    pocket.places.set(from, there - amount);
    pocket.places.set(to, (pocket.places.get(to) ?? 0) + amount);
  }

  pocket(id: string): Pocket {
    const found = this.pockets.find((one) => one.id === id);
    if (found === undefined) throw new Error(`there is no ${id}`);
    return found;
  }

  grants(some: readonly Pocket[] = this.pockets): Grant[] {
    return some.map((pocket) => ({ ...pocket, left: shown(left(pocket)) }));
  }

  opens(amount: number, more: Partial<Pocket>): void {
    const always = { effectiveAt: this.now, expiresAt: null, features: null, plans: null, priority: 0 };
    const plain = { kind: 'promotional', currency: 'usd', price: 0, rollover: null, end: null } as const;
    const places = new Map<Place, number>([['left', amount]]);
    this.pockets.push({ id: `Grant_${this.pockets.length}`, amount, places, ...always, ...plain, ...more });
  }
}

const left = ({ places }: Pocket): number => places.get('left') ?? 0;

interface Dice {
  amount: number;
  which: number;
  days: number;
}
type Step = (book: Book, dice: Dice) => void;

const timeFrom = (book: Book, days: number): Pick<Grant, 'effectiveAt' | 'expiresAt'> => ({
  effectiveAt: book.now + (days % 3) * DAY,
  expiresAt: days % 5 === 0 ? null : book.now + (days + 3) * DAY,
});

const gives: Step = (book, { amount, which, days }) => book.opens(amount, { ...timeFrom(book, days), priority: which % 2 });

const sells: Step = (book, { amount, which, days }) =>
  book.opens(amount, { ...timeFrom(book, days), kind: 'purchased', price: Math.max(1, amount - (which % 7)) });

const givesWithAPlan: Step = (book, { amount, which, days }) => {
  const rollover = which % 3 === 0 ? null : shown((which % 20) + 1);
  book.opens(amount, { effectiveAt: book.now, expiresAt: book.now + (days + 1) * DAY, usageOnly: true, rollover });
};

const charges: Step = (book, { amount, which, days }) => {
  const id = `Inv_${book.bills.length}` as const;
  const since = book.now - (days % 4) * DAY;
  const parts = [
    { at: since, until: book.now, amount: shown(amount) },
    { at: book.now, until: book.now, amount: shown(which % 30) },
  ];
  const line = { id: `Item_${book.bills.length}`, planId: 'Plan_1', kind: which % 2 === 0 ? 'usage' : 'recurring' } as const;
  const remaining = shown(Math.max(0, amount + (which % 30) - (days % 9)));
  book.bills.push({
    ...{ id, invoice: { id, remaining, lines: [{ ...line, source: 'feature:calls', parts }] } },
    ...{ paid: 0, noted: 0, movements: [], uses: [] },
  });
  settle(book);
};

/** Credits pay what is open, with each invoice and with each grant. */
function settle(book: Book): void {
  const open = book.bills.map(({ invoice, paid, noted }) => ({
    ...invoice,
    remaining: shown(Math.max(0, inCents(invoice.remaining) - paid - noted)),
  }));
  const used = book.bills.flatMap(({ uses }) => uses);
  for (const { grantId, invoiceId, amount, lines } of useGrants(book.grants(), open, used)) {
    const bill = book.bills.find(({ id }) => id === invoiceId) as Bill;
    bill.paid += inCents(amount);
    bill.movements.push({ grantId, kind: 'used', amount: `-${amount}` });
    bill.uses.push(...lines);
    book.moves(book.pocket(grantId), inCents(amount), 'left', bill.id);
  }
}

/** A credit note lowers what is unpaid, then goes back to the very grants; what has ended meanwhile ends again. */
const givesBack: Step = (book, { amount, which }) => {
  const bill = book.bills[which % Math.max(1, book.bills.length)];
  if (bill === undefined) return;
  const unpaid = Math.max(0, inCents(bill.invoice.remaining) - bill.paid - bill.noted);
  bill.noted += Math.min(unpaid, amount);
  const kept = book.pockets.reduce((all, { places }) => all + (places.get(bill.id) ?? 0), 0);
  const asked = amount - Math.min(unpaid, amount);
  const before = keptUses(bill.movements);
  const { back, left: beyond } = backToGrants(shown(asked), before, 'usd');
  for (const { grantId, amount: own } of back) {
    const pocket = book.pocket(grantId);
    bill.movements.push({ grantId, kind: 'returned', amount: own });
    book.moves(pocket, inCents(own), bill.id, 'left');
    if (pocket.end !== null) book.moves(pocket, inCents(own), 'left', pocket.end);
  }
  // what went back stays given back: nothing pays it again
  bill.noted += asked;
  bill.paid -= asked - inCents(beyond);
  expect(inCents(beyond)).toBe(asked - Math.min(asked, kept));
  const after = keptUses(bill.movements).map((one) => inCents(one.amount));
  const first = after.findIndex((own, n) => own < inCents(before[n]?.amount ?? '0'));
  // the last use first: nothing is left of those behind one that has lost something
  if (first !== -1) expect(after.slice(first + 1)).toEqual(after.slice(first + 1).map(() => 0));
};

/** A credit note on bought credits takes the same share of them, as far as nobody has used them. */
const givesThePriceBack: Step = (book, { amount, which }) => {
  const sold = book.pockets.filter(({ kind, price }) => kind === 'purchased' && price > 0);
  const pocket = sold[which % Math.max(1, sold.length)];
  if (pocket === undefined) return;
  const credits = pocket.amount - (pocket.places.get('given back') ?? 0);
  const back = Math.min(amount, pocket.price);
  const taken = inCents(takenBack({ credits: shown(credits), price: shown(pocket.price) }, shown(back), 'usd'));
  if (taken > left(pocket)) return;
  book.moves(pocket, taken, 'left', 'given back');
  pocket.price -= back;
  if (pocket.price === 0) expect(pocket.places.get('given back')).toBe(pocket.amount);
};

const changesPlan: Step = (book, { amount, days }) => {
  const since = book.now - days * DAY;
  const ofPlan = book.pockets.filter(({ usageOnly, effectiveAt }) => usageOnly === true && effectiveAt >= since);
  const there = ofPlan.reduce((all, pocket) => all + left(pocket), 0);
  const taken = takenNewestFirst(book.grants(ofPlan), shown(amount), 'usd');
  for (const one of taken) book.moves(book.pocket(one.grantId), inCents(one.amount), 'left', 'taken back');
  expect(taken.reduce((all, one) => all + inCents(one.amount), 0)).toBe(Math.min(amount, there));
};

const voids: Step = (book, { which }) => {
  const pocket = book.pockets[which % Math.max(1, book.pockets.length)];
  if (pocket === undefined || left(pocket) === 0) return;
  book.moves(pocket, left(pocket), 'left', 'voided');
  pocket.end = 'voided';
};

const freezes: Step = (book, { days }) => {
  for (const pocket of book.pockets) {
    if (pocket.effectiveAt > book.now) pocket.effectiveAt += days * DAY;
    if (pocket.expiresAt !== null && pocket.expiresAt > book.now) pocket.expiresAt += days * DAY;
  }
  book.now += days * DAY;
};

/** Time goes on; of what expires a part may last on, once. */
const waits: Step = (book, { which, days }) => {
  const usage = [{ from: START, until: null, closedAt: which % 4 === 0 ? null : book.now }];
  book.now += days * DAY;
  for (const pocket of [...book.pockets]) {
    if (pocket.end !== null || left(pocket) === 0 || expiresAt(pocket, usage, book.now) === null) continue;
    const rest = left(pocket);
    const on = inCents(lastsOn(shown(rest), pocket.rollover, 'usd'));
    expect(on).toBe(Math.min(rest, pocket.rollover === null ? 0 : inCents(pocket.rollover)));
    book.moves(pocket, rest, 'left', 'expired');
    pocket.end = 'expired';
    const effectiveAt = pocket.expiresAt ?? book.now;
    if (on > 0) book.opens(on, { effectiveAt, expiresAt: book.now + 9 * DAY, usageOnly: true });
  }
  settle(book);
};

const STEPS = { gives, sells, givesWithAPlan, charges, givesBack, givesThePriceBack, changesPlan, voids, freezes, waits };
const dice = fc.record({
  amount: fc.integer({ min: 1, max: 90 }),
  which: fc.nat(1_000),
  days: fc.integer({ min: 1, max: 12 }),
});
const aStep = fc.tuple(fc.constantFrom(...(Object.keys(STEPS) as (keyof typeof STEPS)[])), dice);

/** What the rules have said of an invoice comes to what lies under it. */
function expectKept({ bills, pockets }: Book): void {
  for (const { id, movements } of bills) {
    const kept = keptUses(movements);
    for (const pocket of pockets) {
      const own = kept.filter(({ grantId }) => grantId === pocket.id).reduce((all, { amount }) => all + inCents(amount), 0);
      expect(own).toBe(pocket.places.get(id) ?? 0);
    }
  }
}

it('of each grant, what is used, ended and left comes to its amount after each step of any story', () => {
  fc.assert(
    fc.property(fc.array(aStep, { minLength: 1, maxLength: 25 }), (steps) => {
      const book = new Book();
      for (const [name, drawn] of steps) {
        STEPS[name](book, drawn);
        for (const { amount, places } of book.pockets) expect([...places.values()].reduce((all, one) => all + one, 0)).toBe(amount);
        expectKept(book);
      }
    }),
    runs(),
  );
});
