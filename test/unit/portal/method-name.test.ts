import { SANDBOX_METHODS } from '../../../payments/sandbox/methods.ts';
import { readerOf } from '../../../portal/messages/language.ts';
import { methodName } from '../../../portal/pages/methods/name.ts';

const card = (brand: string | null) => ({ type: 'card' as const, details: { brand, last4: '4242', expMonth: 12, expYear: 2099 } });
const [english, german] = [readerOf('en'), readerOf('de')];

describe('the name of a payment method', () => {
  it.each([
    ['visa', 'Visa ending in 4242'],
    ['sandbox_ok', 'Test card ending in 4242'],
    ['sandbox_declined', 'Test card (declined) ending in 4242'],
    ['cartes_bancaires', 'cartes_bancaires ending in 4242'],
    [null, 'card ending in 4242'],
  ])('of the brand %s is %s', (brand, name) => {
    expect(methodName(english, card(brand))).toBe(name);
  });

  it('of every card of the sandbox reads naturally in both languages, and differs from the others', () => {
    const names = Object.keys(SANDBOX_METHODS).flatMap((brand) => [methodName(english, card(brand)), methodName(german, card(brand))]);
    expect(names.filter((name) => !/^Test(karte| card)( \([a-zä ]+\))? /i.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});
