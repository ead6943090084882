import fc from 'fast-check';
import { at, DAY } from '../../../billing/calendar/instant.ts';
import { backToGrants } from '../../../billing/credit/give-back.ts';
import type { CoverableInvoice, Grant, LineUse } from '../../../billing/credit/types.ts';
import { useGrants } from '../../../billing/credit/use.ts';
import type { LineKind } from '../../../billing/invoice/types.ts';
import { runs } from '../../support/runs.ts';
import { cents, num, shownMoney } from '../../support-billing/second-way.ts';

// What grants pay, worked out cent by cent from the texts of the rules, and nothing of `billing/`.

const START = at('2025-01-01');
const day = (n: number): number => START + n * DAY;
const amount = fc.integer({ min: 1, max: 60 });
const days = fc.integer({ min: 0, max: 20 });

const aGrant = fc.record({
  amount,
  priority: fc.integer({ min: 0, max: 2 }),
  from: days,
  length: fc.option(fc.integer({ min: 1, max: 15 })),
  purchased: fc.boolean(),
  feature: fc.option(fc.constantFrom('calls', 'seats')),
  usageOnly: fc.boolean(),
});
const aPart = fc.record({ amount, from: days, length: fc.integer({ min: 0, max: 8 }) });
const aLine = fc.record({
  kind: fc.constantFrom<LineKind>('recurring', 'usage', 'on_demand'),
  feature: fc.constantFrom('calls', 'seats'),
  parts: fc.array(aPart, { minLength: 1, maxLength: 3 }),
});
const anInvoice = fc.record({ lines: fc.array(aLine, { minLength: 1, maxLength: 3 }), lowered: fc.integer({ min: 0, max: 30 }) });
const story = fc.record({
  grants: fc.array(aGrant, { minLength: 1, maxLength: 5 }),
  invoices: fc.array(anInvoice, { minLength: 1, maxLength: 3 }),
  back: fc.integer({ min: 0, max: 100 }),
});
type Drawn = typeof story extends fc.Arbitrary<infer T> ? T : never;

function grantsOf({ grants }: Pick<Drawn, 'grants'>): Grant[] {
  return grants.map((one, n) => ({
    id: `Grant_${n}`,
    kind: one.purchased ? 'purchased' : 'promotional',
    currency: 'usd',
    priority: one.priority,
    effectiveAt: day(one.from),
    expiresAt: one.length === null ? null : day(one.from + one.length),
    features: one.feature === null ? null : [one.feature],
    plans: null,
    usageOnly: one.usageOnly,
    left: shownMoney(BigInt(one.amount)),
  }));
}

function invoicesOf({ invoices }: Pick<Drawn, 'invoices'>): CoverableInvoice[] {
  return invoices.map(({ lines, lowered }, n) => {
    const sum = lines.flatMap(({ parts }) => parts).reduce((all, part) => all + part.amount, 0);
    return {
      id: `Inv_${n}`,
      remaining: shownMoney(BigInt(Math.max(0, sum - lowered))),
      lines: lines.map(({ kind, feature, parts }, place) => ({
        id: `Item_${n}_${place}`,
        planId: 'Plan_1',
        kind,
        source: `feature:${feature}`,
        parts: parts.map((part, piece) => ({
          // parts of one line begin at different instants
          at: day(part.from) + piece,
          until: day(part.from + part.length) + piece,
          amount: shownMoney(BigInt(part.amount)),
        })),
      })),
    };
  });
}

interface Pocket {
  id: string;
  drawn: Drawn['grants'][number];
  left: number;
}

/** Each cent of an invoice is paid by the first grant in order that has one left and may pay the oldest open part. */
function centByCent(drawn: Drawn): Map<string, number> {
  const pockets = drawn.grants.map((one, n): Pocket => ({ id: `Grant_${n}`, drawn: one, left: one.amount }));
  const end = ({ from, length }: Drawn['grants'][number]): number => (length === null ? Number.MAX_SAFE_INTEGER : from + length);
  const ranks = ({ drawn: one, id }: Pocket) => [one.priority, end(one), Number(one.purchased), one.from, Number(id.slice(6))];
  const order = pockets.sort((a, b) => {
    const [x, y] = [ranks(a), ranks(b)];
    return x.map((value, place) => value - (y[place] ?? 0)).find((difference) => difference !== 0) ?? 0;
  });
  const paid = new Map<string, number>();
  drawn.invoices.forEach(({ lines, lowered }, n) => {
    const unsorted = lines.flatMap(({ kind, feature, parts }) =>
      parts.map((part, piece) => ({ kind, feature, piece, ...part, open: part.amount })),
    );
    const open = unsorted.toSorted((a, b) => a.from - b.from || a.piece - b.piece);
    let due = Math.max(0, open.reduce((all, part) => all + part.amount, 0) - lowered);
    for (const pocket of order) {
      const { drawn: one } = pocket;
      const fits = (part: (typeof open)[number]): boolean => {
        const ends = part.length === 0 ? part.from : part.from + part.length;
        const isInLife = part.from >= one.from && (part.length === 0 ? part.from < end(one) : ends + (part.piece > 0 ? 1 : 0) <= end(one));
        return isInLife && (one.feature === null || one.feature === part.feature) && !(one.usageOnly && part.kind === 'recurring');
      };
      for (;;) {
        const next = open.find((part) => part.open > 0 && fits(part));
        if (pocket.left === 0 || due === 0 || next === undefined) break;
        next.open -= 1;
        pocket.left -= 1;
        due -= 1;
        paid.set(`${pocket.id} Inv_${n}`, (paid.get(`${pocket.id} Inv_${n}`) ?? 0) + 1);
      }
    }
  });
  return paid;
}

const inCents = (text: string): number => Number(cents(num(text)));

describe('what grants pay', () => {
  it('is the same cent by cent, and what they used and what is left of each comes to its amount', () => {
    fc.assert(
      fc.property(story, (drawn) => {
        const [grants, invoices] = [grantsOf(drawn), invoicesOf(drawn)];
        const uses = useGrants(grants, invoices);
        const paid = uses.map((use) => [`${use.grantId} ${use.invoiceId}`, inCents(use.amount)] as const);
        expect([...paid].sort()).toEqual([...centByCent(drawn)].sort());
        for (const use of uses) expect(use.lines.reduce((all, line) => all + inCents(line.amount), 0)).toBe(inCents(use.amount));
        for (const { id, left } of grants) {
          const used = uses.filter(({ grantId }) => grantId === id).reduce((all, use) => all + inCents(use.amount), 0);
          expect(used).toBeLessThanOrEqual(inCents(left));
        }
      }),
      runs(),
    );
  });

  it('is paid once: a second time finds only what is open, and a credit note gives back no more than was paid', () => {
    fc.assert(
      fc.property(story, (drawn) => {
        const [grants, invoices] = [grantsOf(drawn), invoicesOf(drawn)];
        const uses = useGrants(grants, invoices);
        const before: LineUse[] = uses.flatMap(({ lines }) => lines);
        const usedOf = (id: string): number =>
          uses.filter(({ grantId }) => grantId === id).reduce((all, one) => all + inCents(one.amount), 0);
        const left = grants.map((grant) => ({ ...grant, left: shownMoney(BigInt(inCents(grant.left) - usedOf(grant.id))) }));
        const rest = invoices.map((one) => {
          const paid = uses.filter(({ invoiceId }) => invoiceId === one.id).reduce((all, use) => all + inCents(use.amount), 0);
          return { ...one, remaining: shownMoney(BigInt(inCents(one.remaining) - paid)) };
        });
        expect(useGrants(left, rest, before)).toEqual([]);
        const kept = uses.filter(({ invoiceId }) => invoiceId === 'Inv_0').map(({ grantId, amount: used }) => ({ grantId, amount: used }));
        const { back, left: beyond } = backToGrants(shownMoney(BigInt(drawn.back)), kept, 'usd');
        const given = back.reduce((all, one) => all + inCents(one.amount), 0);
        const paid = kept.reduce((all, one) => all + inCents(one.amount), 0);
        expect([given, inCents(beyond)]).toEqual([Math.min(drawn.back, paid), drawn.back - Math.min(drawn.back, paid)]);
      }),
      runs(),
    );
  });
});
