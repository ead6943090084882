/**
 * Forms of the VAT identification numbers by member state, ISO 3166 country code as key (Greece's numbers begin with
 * EL). Source: European Commission, VIES, "What is the format of a VAT number?".
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^ATU\d{8}$/,
  BE: /^BE[01]\d{9}$/,
  BG: /^BG\d{9,10}$/,
  CY: /^CY\d{8}[A-Z]$/,
  CZ: /^CZ\d{8,10}$/,
  DE: /^DE\d{9}$/,
  DK: /^DK\d{8}$/,
  EE: /^EE\d{9}$/,
  ES: /^ES(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^FI\d{8}$/,
  FR: /^FR[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GR: /^EL\d{9}$/,
  HR: /^HR\d{11}$/,
  HU: /^HU\d{8}$/,
  IE: /^IE(?:\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-W][A-I])$/,
  IT: /^IT\d{11}$/,
  LT: /^LT(?:\d{9}|\d{12})$/,
  LU: /^LU\d{8}$/,
  LV: /^LV\d{11}$/,
  MT: /^MT\d{8}$/,
  NL: /^NL[A-Z0-9+*]{9}B\d{2}$/,
  PL: /^PL\d{10}$/,
  PT: /^PT\d{9}$/,
  RO: /^RO\d{2,10}$/,
  SE: /^SE\d{12}$/,
  SI: /^SI\d{8}$/,
  SK: /^SK\d{10}$/,
};

/** Whether a country, as an ISO 3166 code in either case, is a member state of the European Union. */
export function isMemberState(country: string | null): boolean {
  return country !== null && Object.hasOwn(FORMS, country.trim().toUpperCase());
}

/**
 * Whether a VAT id has the form that its member state gives it; blanks, dots and hyphens are ignored. No register is
 * asked whether the number is in use.
 *
 * @param country ISO 3166 code of the member state that must have given the number
 */
export function isVatIdForm(vatId: string | null, country: string): boolean {
  const key = country.trim().toUpperCase();
  const form = Object.hasOwn(FORMS, key) ? FORMS[key] : undefined;
  return form !== undefined && vatId !== null && form.test(vatId.replace(/[\s.-]/g, '').toUpperCase());
}
