import fc from 'fast-check';
import type { ContractDiscount } from '../../../billing/contract/types.ts';
import { assembleInvoice } from '../../../billing/invoice/assemble.ts';
import { type Charge, chargeLines } from '../../../billing/invoice/charge.ts';
import { creditLine } from '../../../billing/invoice/credit.ts';
import type { ChargedLine, Line, TaxContext } from '../../../billing/invoice/types.ts';
import { type Currency, minorDigits } from '../../../billing/money/currency.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { runs } from '../../support/runs.ts';
import { givenBack, type Levy, linesOf as linesAgain, shareOf } from '../../support-billing/second-way.ts';
import { aCharge, aCurrency, aDiscount, aRatio, aTax } from './arbitraries.ts';
import { amountsOf, charged, context, counting } from './build.ts';

const charges = fc.array(aCharge, { minLength: 1, maxLength: 6 });
const whole = { part: 1, whole: 1 };

function linesOf(list: Charge[], discount: ContractDiscount | null, tax: TaxContext, currency: Currency = 'usd'): Line[] {
  return chargeLines(list, context({ discount: discount?.type === 'flat' ? { ...discount, currency } : discount, tax, currency }));
}

const digitsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;

function place(): { contractId: string; newId: ReturnType<typeof counting>; dueDate: number } {
  return { contractId: 'Cont_2', newId: counting(), dueDate: 0 };
}

test('every amount of a line has the digits of its currency, and they add up', () => {
  fc.assert(
    fc.property(charges, aDiscount, aTax, aCurrency, (list, discount, tax, currency) => {
      for (const line of linesOf(list, discount, tax, currency)) {
        for (const amount of Object.values(amountsOf(line))) expect(digitsOf(amount)).toBe(minorDigits(currency));
        const net = dec(line.subtotal).minus(line.discountAmount);
        expect(net.eq(tax.policy === 'tax_included' ? line.totalIncludingTax : line.totalExcludingTax)).toBe(true);
        expect(dec(line.totalExcludingTax).plus(line.taxAmount).eq(line.totalIncludingTax)).toBe(true);
        expect(dec(line.discountAmount).gte(0) && net.gte(0)).toBe(true);
      }
    }),
    runs(),
  );
});

test('the parts of a flat discount add up to it, or to all lines it is spread over, before pro-rating', () => {
  fc.assert(
    fc.property(charges, aDiscount, aCurrency, (list, discount, currency) => {
      const full = list.map((one) => ({ ...one, ratio: whole }));
      const lines = linesOf(full, discount, context().tax, currency);
      const sharing = lines.filter((line) => line.derivation.discount !== null);
      if (discount?.type !== 'flat' || sharing.length === 0) return;
      const before = sum(sharing.map((line) => dec(line.subtotal)));
      const off = sum(sharing.map((line) => dec(line.discountAmount)));
      const expected = before.lt(discount.amount) ? before : dec(discount.amount);
      expect(moneyText(off, currency)).toBe(moneyText(expected, currency));
    }),
    runs(),
  );
});

test('an invoice is the sum of its lines and never below zero; what is below goes to the wallet', () => {
  fc.assert(
    fc.property(
      charges,
      aDiscount,
      aTax,
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      aCurrency,
      (list, discount, tax, given, currency) => {
        const lines = linesOf(list, discount, tax, currency).flatMap((line, index) => {
          const credit = given[index] ? creditLine(charged(line), whole, 0, place()) : null;
          return credit ? [credit] : [line];
        });
        const made = assembleInvoice(lines, {
          contract: { id: 'Cont_1', customerId: 'Cust_1' },
          date: 0,
          status: 'ready_for_payment',
          automatic: true,
          newId: counting(),
        });
        const all = [...lines, ...(made?.closing ? [made.closing] : [])];
        expect(moneyText(sum(all.map((line) => dec(line.totalIncludingTax))), currency)).toBe(made?.invoice.total);
        expect(dec(made?.invoice.total ?? '-1').gte(0)).toBe(true);
        expect(made?.wallet?.amount ?? null).toBe(made?.closing?.totalIncludingTax ?? null);
        expect(made?.invoice.lineIds).toEqual(all.map((line) => line.id));
      },
    ),
    runs(),
  );
});

test('a full credit is the exact negative of its line', () => {
  fc.assert(
    fc.property(aCharge, aDiscount, aTax, aCurrency, (one, discount, tax, currency) => {
      for (const line of linesOf([one], discount, tax, currency)) {
        const credit = creditLine(charged(line), whole, 0, place());
        for (const [field, amount] of Object.entries(amountsOf(line))) {
          const back = credit === null ? '0' : amountsOf(credit)[field as keyof ReturnType<typeof amountsOf>];
          // a line that is discounted to zero has nothing to give back
          if (credit !== null || field.startsWith('total')) expect(dec(amount).plus(back).isZero()).toBe(true);
        }
      }
    }),
    runs(),
  );
});

test('several partial credits of one line never exceed it, and a last full one empties it to the cent', () => {
  fc.assert(
    fc.property(aCharge, aTax, fc.array(aRatio, { maxLength: 5 }), aCurrency, (one, tax, ratios, currency) => {
      for (const line of linesOf([one], null, tax, currency)) {
        let running: ChargedLine = charged(line, { creditedExcludingTax: '0', creditedTax: '0' });
        for (const ratio of [...ratios, whole]) {
          const credit = creditLine(running, ratio, 0, place());
          if (credit === null) continue;
          for (const amount of Object.values(amountsOf(credit))) expect(dec(amount).lte(0)).toBe(true);
          running = {
            ...running,
            creditedExcludingTax: dec(running.creditedExcludingTax ?? '0')
              .minus(credit.totalExcludingTax)
              .toFixed(),
            creditedTax: dec(running.creditedTax ?? '0')
              .minus(credit.taxAmount)
              .toFixed(),
          };
          expect(dec(running.creditedExcludingTax ?? '0').lte(line.totalExcludingTax)).toBe(true);
          expect(dec(running.creditedTax ?? '0').lte(line.taxAmount)).toBe(true);
        }
        expect([moneyText(running.creditedExcludingTax ?? '0', currency), moneyText(running.creditedTax ?? '0', currency)]).toEqual([
          line.totalExcludingTax,
          line.taxAmount,
        ]);
      }
    }),
    runs(),
  );
});

test('the order of the charges does not matter without a flat discount', () => {
  fc.assert(
    fc.property(charges, aTax, (list, tax) => {
      const amounts = (lines: Line[]): string[] => lines.map((line) => JSON.stringify(amountsOf(line)));
      expect(amounts(linesOf([...list].reverse(), null, tax)).reverse()).toEqual(amounts(linesOf(list, null, tax)));
    }),
    runs(),
  );
});

const levyOf = ({ policy, rates }: TaxContext): Levy => ({ included: policy === 'tax_included', rate: rates[0]?.rate ?? null });

test('lines are what the rules come to when worked out a second way from prices, discount and tax: tiers, limits, fees, shares of a flat discount', () => {
  fc.assert(
    fc.property(charges, aDiscount, aTax, (list, discount, tax) => {
      const items = list.map((one) => ({ ...one, sold: one.price, part: shareOf(one.ratio.part, one.ratio.whole) }));
      expect(linesOf(list, discount, tax).map(amountsOf)).toEqual(linesAgain(items, discount, levyOf(tax)));
    }),
    runs(3),
  );
});

test('a credit is what the rules come to when worked out a second way from its line', () => {
  fc.assert(
    fc.property(aCharge, aDiscount, aTax, aRatio, (one, discount, tax, ratio) => {
      for (const line of linesOf([one], discount, tax)) {
        const credit = creditLine(charged(line), ratio, 0, place());
        const again = givenBack(amountsOf(line), shareOf(ratio.part, ratio.whole), levyOf(tax));
        if (credit === null) expect(again).toMatchObject({ totalExcludingTax: '0.00', totalIncludingTax: '0.00' });
        else expect(amountsOf(credit)).toEqual(again);
      }
    }),
    runs(3),
  );
});
