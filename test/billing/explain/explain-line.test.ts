import { explainLine, readDerivation } from '../../../billing/explain/explain-line.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { signs } from '../../support-billing/story.ts';

test('a line of 100.00 and its credit of -50.00: who they are, what they come to, twice, and in sentences', () => {
  const story = signs('2025-06-01', planOffer('a', { price: '100' }));
  changes(story, '2025-06-16', changeToPlan(planOffer('b', { price: '300' })));
  const [charge, credit] = [...story.ledger.lines.values()].map(explainLine);
  const amounts = {
    subtotal: '100.00',
    discountAmount: '0.00',
    totalExcludingTax: '100.00',
    taxAmount: '0.00',
    totalIncludingTax: '100.00',
  };
  expect(charge).toMatchObject({ lineId: expect.stringMatching(/^Item_/), name: 'a', kind: 'recurring', amounts, recomputed: amounts });
  expect(charge?.sentences).toContain('Flat amount: 100.');
  expect(credit).toMatchObject({ name: 'Unused time: a', kind: 'credit', amounts: { totalIncludingTax: '-50.00' } });
  expect(credit?.recomputed).toEqual(credit?.amounts);
  expect(credit?.sentences[0]).toBe(`Gives back part of "a" (${charge?.lineId}), which charged 100.00 after discount.`);
});

test.each([[{}], [{ type: 'gift' }], [{ kind: 'charge' }], [{ type: null }]])('%j explains nothing: refused by name', (derivation) => {
  expect(() => readDerivation(derivation)).toThrow(
    expect.objectContaining({
      problems: [
        {
          field: 'derivation',
          code: 'unknown_derivation',
          message: 'give one of charge, credit, correction, difference, wallet, purchase',
        },
      ],
    }),
  );
});

test.each(['charge', 'credit', 'correction', 'wallet', 'purchase'])('a derivation of type %s is taken as it is', (type) => {
  const derivation = { type };
  expect(readDerivation(derivation)).toBe(derivation);
});
