import fc from 'fast-check';
import { explainLine, readDerivation } from '../../../billing/explain/explain-line.ts';
import { recomputeLine } from '../../../billing/explain/recompute.ts';
import { assembleInvoice } from '../../../billing/invoice/assemble.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { correctionLine } from '../../../billing/invoice/correction.ts';
import { creditLine } from '../../../billing/invoice/credit.ts';
import type { ChargedLine, Line } from '../../../billing/invoice/types.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { aCharge, aDecimal, aDiscount, aRatio, aTax } from '../invoice/arbitraries.ts';
import { amountsOf, charge, charged, context, counting, discountOf, only, perUnit, priceOf, taxAt } from '../invoice/build.ts';

function recomputed(line: Line): unknown {
  // through JSON, as the database keeps it
  return recomputeLine(readDerivation(JSON.parse(JSON.stringify(line.derivation))));
}

const place = { contractId: 'Cont_2', dueDate: 0, newId: counting() };

test('charges of any price, discount and tax come out the same when worked out from their derivation with whole numbers', () => {
  fc.assert(
    fc.property(fc.array(aCharge, { minLength: 1, maxLength: 5 }), aDiscount, aTax, (charges, discount, tax) => {
      for (const line of chargeLines(charges, context({ discount, tax }))) expect(recomputed(line)).toEqual(amountsOf(line));
    }),
    runs(),
  );
});

test('credits, whole or in part, first or later, come out the same', () => {
  fc.assert(
    fc.property(aCharge, aDiscount, aTax, aRatio, aRatio, (one, discount, tax, first, second) => {
      const line: ChargedLine = charged(only(chargeLines([one], context({ discount, tax }))));
      const credit = creditLine(line, first, 0, place);
      if (credit === null) return;
      expect(recomputed(credit)).toEqual(amountsOf(credit));
      const rest = {
        creditedExcludingTax: dec(credit.totalExcludingTax).neg().toFixed(),
        creditedTax: dec(credit.taxAmount).neg().toFixed(),
      };
      const later = creditLine({ ...line, ...rest }, second, 0, place);
      if (later !== null) expect(recomputed(later)).toEqual(amountsOf(later));
    }),
    runs(),
  );
});

test('corrections come out the same', () => {
  fc.assert(
    fc.property(aCharge, aTax, aDecimal(500, 2), aDecimal(120, 2), (one, tax, before, units) => {
      const line = correctionLine(
        { contractId: 'Cont_1', periodIdx: 1, slug: 'calls', units, charged: before, closed: null, occasion: 'Evt_1' },
        {
          lineId: 'Item_9',
          began: null,
          price: one.price,
          name: 'Calls',
          ratio: one.ratio,
          span: { start: 0, end: 30 },
          free: one.free,
          currency: 'usd',
          tax,
          dueDate: 0,
          newId: counting(),
        },
      );
      expect(recomputed(line)).toEqual(amountsOf(line));
    }),
    runs(),
  );
});

test('closing lines come out the same', () => {
  fc.assert(
    fc.property(fc.array(aCharge, { minLength: 1, maxLength: 4 }), aTax, (charges, tax) => {
      const credits = chargeLines(charges, context({ tax })).flatMap(
        (line) => creditLine(charged(line), { part: 1, whole: 1 }, 0, place) ?? [],
      );
      const made = assembleInvoice(credits, {
        contract: { id: 'Cont_1', customerId: 'Cust_1' },
        date: 0,
        status: 'ready_for_payment',
        automatic: true,
        newId: counting(),
      });
      if (made?.closing) expect(recomputed(made.closing)).toEqual(amountsOf(made.closing));
    }),
    runs(),
  );
});

test('shown results are not used: 599.95 for 29 of 31 days comes to 561.24 from price and fraction though the shown ratio says 0.5', () => {
  const line = only(chargeLines([charge(priceOf('599.95'), { ratio: { part: 29, whole: 31 } })], context()));
  const derivation = readDerivation(line.derivation);
  if (derivation.type !== 'charge') throw new Error('expected a charge');
  const bent = { ...derivation, ratio: { ...derivation.ratio, shown: '0.5' }, rounding: { ...derivation.rounding, exactNet: '1' } };
  expect(recomputeLine(bent).subtotal).toBe('561.24');
});

test('a derivation of another price gives another amount: the comparison can fail', () => {
  const line = only(chargeLines([charge(priceOf('10'))], context()));
  const other = only(chargeLines([charge(priceOf('11'))], context()));
  expect(recomputeLine(readDerivation(other.derivation))).not.toEqual(amountsOf(line));
});

test('an explanation has the amounts twice, the derivation, and sentences', () => {
  const line = only(
    chargeLines(
      [charge(priceOf('10', perUnit({ batchSize: 5 })), { units: '12', ratio: { part: 15, whole: 30 } })],
      context({ discount: discountOf('percentage', '10'), tax: taxAt('0.19', 'tax_included') }),
    ),
  );
  const explained = explainLine(line);
  expect(explained).toMatchObject({ lineId: 'Item_1', name: 'Pro', kind: 'recurring', derivation: line.derivation });
  expect(explained.amounts).toEqual(amountsOf(line));
  expect(explained.recomputed).toEqual(explained.amounts);
  expect(explained.sentences.length).toBeGreaterThan(5);
});

test('what is no derivation is refused', () => {
  const line = only(chargeLines([charge(priceOf('10'))], context()));
  expect(() => explainLine({ ...line, derivation: {} })).toThrow('derivation: give one of charge, credit, correction, difference, wallet');
  expect(() => explainLine({ ...line, derivation: { type: 'guess' } })).toThrow(
    'derivation: give one of charge, credit, correction, difference, wallet',
  );
});
