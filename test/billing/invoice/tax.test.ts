import { applyTax, isReverseCharge, REVERSE_CHARGE_NOTE, rateFor, taxOf, taxRule } from '../../../billing/invoice/tax.ts';
import type { TaxContext, TaxRate } from '../../../billing/invoice/types.ts';
import { isMemberState, isVatIdForm } from '../../../billing/invoice/vat-id.ts';
import { dec, text } from '../../../billing/money/decimal.ts';
import { noTax } from './build.ts';

function rate(value: string, taxCode: string | null, country: string | null, state: string | null = null): TaxRate {
  return { taxCode, country, state, rate: value };
}

const rates = [
  rate('0.01', null, null),
  rate('0.02', null, 'US'),
  rate('0.03', null, null, 'CA'),
  rate('0.04', null, 'US', 'CA'),
  rate('0.05', 'books', null),
  rate('0.06', 'books', 'US'),
  rate('0.07', 'books', null, 'CA'),
  rate('0.08', 'books', 'US', 'CA'),
];

test.each([
  ['nothing known takes the rate for all, 1 %', null, null, null, '0.01'],
  ['the country beats the rate for all, 2 %', null, 'US', 'NY', '0.02'],
  ['a state beats no place, 3 %', null, 'MX', 'CA', '0.03'],
  ['country and state beat the country, 4 %', null, 'US', 'CA', '0.04'],
  ['a tax code beats any place, 5 %', 'books', 'MX', null, '0.05'],
  ['tax code and country, 6 %', 'books', 'US', 'NY', '0.06'],
  ['tax code and state, 7 %', 'books', 'MX', 'CA', '0.07'],
  ['all three, 8 %', 'books', 'US', 'CA', '0.08'],
  ['another tax code is judged by its place, 4 %', 'toys', 'US', 'CA', '0.04'],
  ['letter case and blanks of places do not matter, 4 %', null, ' us', 'ca ', '0.04'],
])('%s', (_, taxCode, country, state, expected) => {
  expect(rateFor(taxCode, { rates, country, state })).toBe(expected);
  expect(rateFor(taxCode, { rates: [...rates].reverse(), country, state })).toBe(expected);
});

test('blanks in the vendor’s own rates do not matter either', () => {
  expect(rateFor(null, { rates: [rate('0.04', null, ' US ', 'CA ')], country: 'us', state: 'ca' })).toBe('0.04');
});

test('a tax code alone beats country and state together', () => {
  expect(rateFor('books', { rates: [rate('0.04', null, 'US', 'CA'), rate('0.05', 'books', null)], country: 'US', state: 'CA' })).toBe(
    '0.05',
  );
});

test('a state alone beats a country alone', () => {
  expect(rateFor(null, { rates: [rate('0.02', null, 'US'), rate('0.03', null, null, 'CA')], country: 'US', state: 'CA' })).toBe('0.03');
});

test('of equally specific rates the first holds, and none fits where places differ', () => {
  expect(rateFor(null, { rates: [rate('0.1', null, 'DE'), rate('0.2', null, 'DE')], country: 'DE', state: null })).toBe('0.1');
  expect(rateFor(null, { rates: [rate('0.1', null, 'DE')], country: 'FR', state: null })).toBeNull();
  expect(rateFor(null, { rates: [rate('0.1', null, 'DE')], country: null, state: null })).toBeNull();
  expect(rateFor(null, { rates: [rate('0.1', 'books', null)], country: 'DE', state: null })).toBeNull();
});

test.each([
  ['90.00 + 10 % is 99.00', '90', '0.10', 'tax_excluded', ['90', '9', '99']],
  ['100.00 with 19 % in it is 84.03 + 15.97', '100', '0.19', 'tax_included', ['84.03', '15.97', '100']],
  ['0.10 + 5 % is 0.11: half a cent goes up', '0.10', '0.05', 'tax_excluded', ['0.1', '0.01', '0.11']],
  ['-0.10 + 5 % is -0.11: half a cent goes away from zero', '-0.10', '0.05', 'tax_excluded', ['-0.1', '-0.01', '-0.11']],
  ['no rate is no tax', '10', null, 'tax_included', ['10', '0', '10']],
  ['a rate of zero is no tax', '10', '0', 'tax_excluded', ['10', '0', '10']],
  ['200 % included: 30.00 is 10.00 + 20.00', '30', '2', 'tax_included', ['10', '20', '30']],
] as const)('%s', (_, amount, factor, policy, expected) => {
  const taxed = applyTax(dec(amount), factor, policy, 'usd');
  expect([taxed.totalExcludingTax, taxed.taxAmount, taxed.totalIncludingTax].map(text)).toEqual(expected);
});

test('a negative rate is refused', () => {
  expect(() => applyTax(dec('1'), '-0.1', 'tax_excluded', 'usd')).toThrow(
    expect.objectContaining({
      problems: [{ field: 'rate', code: 'negative_rate', message: 'give a rate of 0 or more, such as "0.19" for 19 %' }],
    }),
  );
});

const german: TaxContext = {
  ...noTax,
  policy: 'tax_included',
  rates: [rate('0.19', null, 'DE'), rate('0.20', null, 'FR')],
  sellerCountry: 'DE',
  country: 'FR',
  vatId: 'FR40303265045',
};

test('a German seller, a French business: reverse charge, rate 0 with a note, the price stays 100.00', () => {
  const taxed = taxOf(dec('100'), null, german, 'eur');
  expect([taxed.totalExcludingTax, taxed.taxAmount, taxed.totalIncludingTax].map(text)).toEqual(['100', '0', '100']);
  expect(taxed).toMatchObject({ rate: '0', reverseCharge: true, note: REVERSE_CHARGE_NOTE, taxCode: null, policy: 'tax_included' });
});

test.each([
  ['no VAT id', { vatId: null }, '0.20'],
  ['a malformed VAT id', { vatId: 'FR4030326504' }, '0.20'],
  ['the VAT id of another state', { vatId: 'DE123456789' }, '0.20'],
  ['a customer at home', { country: 'DE', vatId: 'DE123456789' }, '0.19'],
  ['a customer at home in small letters', { country: 'de', vatId: 'DE123456789' }, '0.19'],
  ['a customer outside of the EU', { country: 'US', vatId: 'FR40303265045' }, null],
  ['a seller outside of the EU', { sellerCountry: 'US' }, '0.20'],
  ['no seller country', { sellerCountry: null }, '0.20'],
  ['no customer country', { country: null }, null],
])('no reverse charge with %s', (_, more, expected) => {
  expect(isReverseCharge({ ...german, ...more })).toBe(false);
  expect(taxRule(null, { ...german, ...more })).toMatchObject({ rate: expected, reverseCharge: false, note: null });
});

test('a tax code goes onto the rule', () => {
  expect(taxRule('books', german).taxCode).toBe('books');
  expect(taxRule('books', { ...german, vatId: null }).taxCode).toBe('books');
});

test('the EU has 27 member states', () => {
  const codes = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((a, _, letters) => letters.map((b) => a + b));
  expect(codes.filter(isMemberState)).toHaveLength(27);
  expect(isMemberState('de')).toBe(true);
  expect(isMemberState(' DE ')).toBe(true);
  expect(isMemberState('GB')).toBe(false);
  expect(isMemberState('toString')).toBe(false);
  expect(isMemberState(null)).toBe(false);
});

test.each([
  ['AT', 'ATU12345678', 'AT12345678'],
  ['BE', 'BE0123456789', 'BE2123456789'],
  ['BG', 'BG123456789', 'BG12345678'],
  ['BG', 'BG1234567890', 'BG12345678901'],
  ['CY', 'CY12345678L', 'CY123456789'],
  ['CZ', 'CZ12345678', 'CZ1234567'],
  ['CZ', 'CZ1234567890', 'CZ12345678901'],
  ['DE', 'DE123456789', 'DE12345678'],
  ['DK', 'DK12345678', 'DK123456789'],
  ['EE', 'EE123456789', 'EE12345678'],
  ['ES', 'ESX1234567X', 'ES123456789'],
  ['ES', 'ES12345678Z', 'ES12345678'],
  ['ES', 'ESB12345678', 'ESBB2345678'],
  ['FI', 'FI12345678', 'FI1234567'],
  ['FR', 'FR40303265045', 'FRO0303265045'],
  ['FR', 'FRK7399859412', 'FR4030326504'],
  ['GR', 'EL123456789', 'GR123456789'],
  ['HR', 'HR12345678901', 'HR1234567890'],
  ['HU', 'HU12345678', 'HU1234567'],
  ['IE', 'IE6388047V', 'IE638804V'],
  ['IE', 'IE3628739LH', 'IE36287391'],
  ['IE', 'IE9A12345B', 'IE9!12345B'],
  ['IT', 'IT12345678901', 'IT1234567890'],
  ['LT', 'LT123456789', 'LT1234567890'],
  ['LT', 'LT123456789012', 'LT12345678901'],
  ['LU', 'LU12345678', 'LU1234567'],
  ['LV', 'LV12345678901', 'LV1234567890'],
  ['MT', 'MT12345678', 'MT1234567'],
  ['NL', 'NL123456789B01', 'NL123456789A01'],
  ['PL', 'PL1234567890', 'PL123456789'],
  ['PT', 'PT123456789', 'PT12345678'],
  ['RO', 'RO12', 'RO1'],
  ['RO', 'RO1234567890', 'RO12345678901'],
  ['SE', 'SE123456789012', 'SE12345678901'],
  ['SI', 'SI12345678', 'SI1234567'],
  ['SK', 'SK1234567890', 'SK123456789'],
])('%s: %s has the right form, %s has not', (country, good, bad) => {
  expect(isVatIdForm(good, country)).toBe(true);
  expect(isVatIdForm(bad, country)).toBe(false);
  expect(isVatIdForm(`${good}00000000000`, country)).toBe(false);
  expect(isVatIdForm(`X${good}`, country)).toBe(false);
});

test('blanks, dots, hyphens and small letters of a VAT id do not matter', () => {
  expect(isVatIdForm('de 123.456-789', ' de ')).toBe(true);
  expect(isVatIdForm(null, 'DE')).toBe(false);
  expect(isVatIdForm('DE123456789', 'US')).toBe(false);
  expect(isVatIdForm('DE123456789', 'constructor')).toBe(false);
});
