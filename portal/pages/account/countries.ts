import { iso31661 } from 'iso-3166/1.js';
import { LANGUAGES, type Language } from '../../../db/customer/language.ts';
import { LOCALES } from '../../messages/messages.ts';

const CODES: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2));

/** Whether a code is that of a country: assigned by ISO 3166-1. */
export const isCountry = (code: string): boolean => CODES.has(code);

interface NamedCountry {
  readonly code: string;
  readonly name: string;
}

/** The countries with their names in a language, in its alphabet's order. */
function namedIn(language: Language): readonly NamedCountry[] {
  const locale = LOCALES[language];
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return [...CODES].map((code) => ({ code, name: names.of(code) ?? code })).toSorted((a, b) => compare(a.name, b.name));
}

/** Made once: two hundred and fifty names are sorted. */
const NAMED: ReadonlyMap<Language, readonly NamedCountry[]> = new Map(LANGUAGES.map((language) => [language, namedIn(language)]));

export const countriesIn = (language: Language): readonly NamedCountry[] => NAMED.get(language) ?? [];

/** The name of a country in a language; a code that isn't assigned any more is shown as it is. */
export const countryName = (code: string, language: Language): string =>
  countriesIn(language).find((country) => country.code === code)?.name ?? code;
