import fc from 'fast-check';
import { inOrderOfUse } from '../../../billing/credit/order.ts';
import type { CoverableInvoice, CoverableLine, Grant } from '../../../billing/credit/types.ts';
import { covers, useGrants } from '../../../billing/credit/use.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';

const grant = (id: string, left: string, more: Partial<Grant> = {}): Grant => ({
  ...{ id, kind: 'promotional', currency: 'usd', priority: 50, effectiveAt: 0, expiresAt: null, features: null, plans: null, left },
  ...more,
});

const line = (id: string, at: number, amount: string, more: Partial<CoverableLine> = {}): CoverableLine => ({
  ...{ id, planId: 'Plan_1', kind: 'recurring', source: 'plan', parts: [{ at, until: at, amount }] },
  ...more,
});

const shown = (uses: ReturnType<typeof useGrants>) => uses.map(({ grantId, amount, place }) => [grantId, amount, place]);

test.each([
  ['the smaller priority number', { priority: 1 }, { priority: 2 }],
  ['what expires first, whatever was granted first', { expiresAt: 5, effectiveAt: 3 }, { expiresAt: 9, effectiveAt: 1 }],
  ['what expires before what never does', { expiresAt: 9 }, { expiresAt: null }],
  ['what became effective first', { effectiveAt: 1 }, { effectiveAt: 2 }],
])('%s is used first', (_name, first, second) => {
  const [a, b] = [grant('Grant_2', '1', first), grant('Grant_1', '1', second)];
  expect(inOrderOfUse([b, a]).map(({ id }) => id)).toEqual(['Grant_2', 'Grant_1']);
});

test('of equals the smaller id is used first', () => {
  expect(inOrderOfUse([grant('Grant_2', '1'), grant('Grant_1', '1')]).map(({ id }) => id)).toEqual(['Grant_1', 'Grant_2']);
});

test.each([
  ['a line at the beginning of the life', 5, 5, true],
  ['a line before it', 4, 4, false],
  ['a line at its end', 9, 9, false],
  ['usage up to its end', 5, 9, true],
  ['usage beyond its end', 5, 10, false],
])('%s: covered %s', (_name, at, until, expected) => {
  expect(covers(grant('Grant_1', '1', { effectiveAt: 5, expiresAt: 9 }), line('Item_1', at, '1'), { at, until })).toBe(expected);
});

test('a grant for a feature and a plan pays for no other feature and no other plan', () => {
  const only = grant('Grant_1', '100', { features: ['calls'], plans: ['Plan_1'] });
  const lines = [
    line('Item_1', 1, '10', { source: 'feature:calls' }),
    line('Item_2', 1, '20', { source: 'feature:seats' }),
    line('Item_3', 1, '40', { source: 'feature:calls', planId: 'Plan_2' }),
  ];
  expect(shown(useGrants([only], [{ id: 'Inv_1', remaining: '70', lines }]))).toEqual([['Grant_1', '10.00', 1]]);
});

test('what other lines give back lowers what is used: 60.00 of lines of 100.00 where 60.00 are left to pay', () => {
  const invoice = { id: 'Inv_1', remaining: '60', lines: [line('Item_1', 1, '100')] };
  expect(shown(useGrants([grant('Grant_1', '500')], [invoice]))).toEqual([['Grant_1', '60.00', 1]]);
});

test('what was paid of a line before is not paid again', () => {
  const invoice = { id: 'Inv_1', remaining: '70', lines: [line('Item_1', 1, '40'), line('Item_2', 1, '60')] };
  const used = [{ lineId: 'Item_1', at: 1, amount: '30' }];
  const only = grant('Grant_2', '500', { effectiveAt: 0, expiresAt: 2 });
  const [use] = useGrants([only], [invoice], used);
  expect(use?.lines.map(({ lineId, amount }) => [lineId, amount])).toEqual([
    ['Item_1', '10.00'],
    ['Item_2', '60.00'],
  ]);
});

test('two lives that both end in the middle of usage pay its first half together, and no more', () => {
  const parts = [
    { at: 0, until: 5, amount: '28' },
    { at: 5, until: 9, amount: '51.5' },
  ];
  const invoice = { id: 'Inv_1', remaining: '79.5', lines: [line('Item_1', 0, '0', { kind: 'usage', parts })] };
  const both = [grant('Grant_1', '20', { expiresAt: 5 }), grant('Grant_2', '20', { expiresAt: 5 })];
  expect(shown(useGrants(both, [invoice]))).toEqual([
    ['Grant_1', '20.00', 1],
    ['Grant_2', '8.00', 2],
  ]);
});

const cents = (most: number) => fc.integer({ min: 0, max: most }).map((value) => (value / 100).toFixed(2));
const anInstant = fc.integer({ min: 0, max: 20 });
const aGrant = (id: string): fc.Arbitrary<Grant> =>
  fc
    .record({
      left: cents(5_000),
      priority: fc.integer({ min: 0, max: 3 }),
      from: anInstant,
      length: fc.option(fc.integer({ min: 1, max: 12 })),
    })
    .map(({ left, priority, from, length }) =>
      grant(id, left, { priority, effectiveAt: from, expiresAt: length === null ? null : from + length }),
    );
const anInvoice = (id: string): fc.Arbitrary<CoverableInvoice> =>
  fc.array(fc.record({ at: anInstant, amount: cents(3_000) }), { minLength: 1, maxLength: 4 }).map((lines) => ({
    id,
    remaining: sum(lines.map(({ amount }) => dec(amount))).toFixed(2),
    lines: lines.map(({ at, amount }, place) => line(`${id}_${place}`, at, amount)),
  }));
const numbered = <T>(make: (id: string) => fc.Arbitrary<T>, prefix: string, most: number): fc.Arbitrary<T[]> =>
  fc.integer({ min: 0, max: most }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, place) => make(`${prefix}_${place}`))));

/** The same by cents: each grant in its order takes cent after cent of the oldest line that it may pay. */
function byCents(grants: readonly Grant[], invoices: readonly CoverableInvoice[]): Map<string, number> {
  const inCents = (amount: string): number => Math.round(Number(amount) * 100);
  const left = new Map(grants.map(({ id, left: amount }) => [id, inCents(amount)]));
  const paid = new Map<string, number>();
  const place = ({ priority, expiresAt, effectiveAt, id }: Grant) =>
    [priority, expiresAt ?? 9_999, effectiveAt].map((value) => String(value).padStart(6, '0')).join() + id;
  for (const { id: invoiceId, lines } of invoices) {
    const open = lines.map(({ parts: [part] }) => ({ at: part?.at ?? 0, cents: inCents(part?.amount ?? '0') })).sort((a, b) => a.at - b.at);
    for (const one of [...grants].sort((a, b) => (place(a) < place(b) ? -1 : 1))) {
      for (const target of open) {
        const isIn = target.at >= one.effectiveAt && target.at < (one.expiresAt ?? Number.POSITIVE_INFINITY);
        while (isIn && target.cents > 0 && (left.get(one.id) ?? 0) > 0) {
          target.cents -= 1;
          left.set(one.id, (left.get(one.id) ?? 0) - 1);
          paid.set(`${one.id} ${invoiceId}`, (paid.get(`${one.id} ${invoiceId}`) ?? 0) + 1);
        }
      }
    }
  }
  return paid;
}

test('grants pay what another computation, cent by cent, pays', () => {
  fc.assert(
    fc.property(numbered(aGrant, 'Grant', 4), numbered(anInvoice, 'Inv', 3), (grants, invoices) => {
      const uses = useGrants(grants, invoices);
      const paid = new Map(uses.map(({ grantId, invoiceId, amount }) => [`${grantId} ${invoiceId}`, Math.round(Number(amount) * 100)]));
      expect(paid).toEqual(byCents(grants, invoices));
      for (const use of uses) expect(dec(use.amount).eq(sum(use.lines.map(({ amount }) => dec(amount))))).toBe(true);
    }),
    runs(0.5),
  );
});
