import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '../../../billing/calendar/instant.ts';
import { assembleInvoice } from '../../../billing/invoice/assemble.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { creditLine } from '../../../billing/invoice/credit.ts';
import type { ChargedLine, Line } from '../../../billing/invoice/types.ts';
import { readerOf } from '../../../portal/messages/language.ts';
import { lineWords } from '../../../portal/pages/change/line-words.ts';
import { diaries, snapshots } from '../../billing/contract/random.ts';
import { charge, context, counting, discountOf, perUnit, priceOf, taxAt, usage } from '../../billing/invoice/build.ts';
import { runs } from '../../support/runs.ts';

const [en, de] = [readerOf('en'), readerOf('de')];
const JULY = { start: Date.UTC(2025, 6, 1), end: Date.UTC(2025, 7, 1) };
const first = ([line]: readonly Line[]): Line => {
  if (line === undefined) throw new Error('a line was expected');
  return line;
};

/** The credit of a line for its part of a whole. */
function credit(line: Line, part: number, whole: number): Line {
  const charged: ChargedLine = { ...line, invoiceId: 'Inv_1' };
  const made = creditLine(charged, { part, whole }, JULY.start, { contractId: 'Cont_2', newId: counting(), dueDate: JULY.start });
  if (made === null) throw new Error('a credit was expected');
  return made;
}

const pro = first(chargeLines([charge(priceOf('31'), { span: JULY })], context()));
const partOf = (part: number, whole: number): Line =>
  first(chargeLines([charge(priceOf('31'), { span: JULY, ratio: { part, whole } })], context()));

describe('the words of a line', () => {
  test.each([
    [credit(pro, 21 * DAY, 31 * DAY), 'Unused time of Pro, 21 of 31 days', 'Ungenutzte Zeit von Pro, 21 von 31 Tagen'],
    [credit(pro, 20.5 * DAY, 31 * DAY), 'Unused time of Pro, 20.5 of 31 days', 'Ungenutzte Zeit von Pro, 20,5 von 31 Tagen'],
    [credit(pro, 31 * DAY - MINUTE, 31 * DAY), 'Unused time of Pro, 31 of 31 days', 'Ungenutzte Zeit von Pro, 31 von 31 Tagen'],
    [credit(pro, 31 * DAY - 10 * MINUTE, 31 * DAY), 'Unused time of Pro, 30.99 of 31 days', 'Ungenutzte Zeit von Pro, 30,99 von 31 Tagen'],
    [credit(pro, HOUR, DAY), 'Unused time of Pro, 1 of 24 hours', 'Ungenutzte Zeit von Pro, 1 von 24 Stunden'],
    [credit(pro, 15 * MINUTE, HOUR), 'Unused time of Pro, 15 of 60 minutes', 'Ungenutzte Zeit von Pro, 15 von 60 Minuten'],
    [credit(pro, 1, 1), 'Pro, given back in full', 'Pro, ganz zurückgegeben'],
    [partOf(15 * DAY, 30 * DAY), 'Pro, 15 of 30 days', 'Pro, 15 von 30 Tagen'],
    [pro, 'Pro, 1 July 2025 to 1 August 2025', 'Pro, 1. Juli 2025 bis 1. August 2025'],
  ])('of time: %#', (line, english, german) => {
    expect([lineWords(en, line).text, lineWords(de, line).text]).toEqual([english, german]);
  });

  it('name bought units with their price, and used ones by their number', () => {
    const seats = first(
      chargeLines([charge(priceOf('5', perUnit({ unitCount: '3' })), { name: 'Seats', units: '3', span: JULY })], context()),
    );
    expect(lineWords(en, seats)).toEqual({ text: '3 × Seats, 1 July 2025 to 1 August 2025', notes: ['USD 5.00 each'], amount: '15.00' });
    const calls = first(
      chargeLines([charge(priceOf('0.01', usage()), { name: 'Calls', kind: 'usage', units: '1200', discountable: false })], context()),
    );
    expect(lineWords(en, calls)).toEqual({ text: 'Calls: 1,200 used', notes: [], amount: '12.00' });
  });

  it('say what is free and what a discount takes off', () => {
    expect(lineWords(en, first(chargeLines([charge(priceOf('31'), { free: true })], context()))).notes).toEqual(['free of charge']);
    const discounted = first(chargeLines([charge(priceOf('31'))], context({ discount: discountOf('flat', '3.10') })));
    expect(lineWords(en, discounted)).toMatchObject({
      notes: [expect.stringMatching(/^with discount .*: USD 3\.10 less$/)],
      amount: '27.90',
    });
  });

  test.each([
    ['tax_included', '31.00'],
    ['tax_excluded', '31.00'],
  ] as const)('show amounts as prices are given: %s', (policy, amount) => {
    expect(lineWords(en, first(chargeLines([charge(priceOf('31'))], context({ tax: taxAt('0.19', policy) })))).amount).toBe(amount);
  });

  it('say that a surplus goes to the wallet', () => {
    const newId = counting();
    const made = assembleInvoice([credit(pro, 1, 1)], {
      contract: { id: 'Cont_1', customerId: 'Cust_1' },
      date: 0,
      status: 'ready_for_payment',
      automatic: true,
      newId,
    });
    expect(made?.closing && lineWords(en, made.closing)).toEqual({ text: 'Goes to your wallet', notes: [], amount: '31.00' });
  });

  it('are complete for every line of any contract, in each language', () => {
    fc.assert(
      fc.property(diaries(), (diary) => {
        for (const line of snapshots(diary).ledger.lines.values()) {
          for (const reader of [en, de]) {
            const { text, notes } = lineWords(reader, JSON.parse(JSON.stringify(line)));
            expect([text, ...notes].join()).not.toMatch(/undefined|null|NaN|Infinity|\{|lines\./);
          }
        }
      }),
      runs(0.05),
    );
  });
});
