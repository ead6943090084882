import { LANGUAGES, type Language } from '../../db/customer/language.ts';
import { type Format, formatOf } from '../parts/format.ts';
import { LOCALES, type Translate, translations } from './messages.ts';

/** What a page needs to write to somebody: the messages and formats of one language. */
export interface Reader {
  readonly language: Language;
  readonly t: Translate;
  readonly format: Format;
}

const formats: Record<Language, Format> = { en: formatOf(LOCALES.en), de: formatOf(LOCALES.de) };

export const readerOf = (language: Language): Reader => ({ language, t: translations[language], format: formats[language] });

/** The language of a tag such as `de-AT`; null where the portal isn't written in it. */
export function languageFromTag(tag: string): Language | null {
  const primary = tag.trim().toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** The first language of an Accept-Language header that the portal is written in, by its weights; null for none. */
export function languageFromHeader(header: string): Language | null {
  const wanted = header.split(',').map((entry) => {
    const [tag = '', ...parameters] = entry.split(';');
    const weight = /^\s*q=([\d.]+)/.exec(parameters.join(';'))?.[1];
    return { language: languageFromTag(tag), weight: weight === undefined ? 1 : Number(weight) };
  });
  const best = wanted.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return best.find(({ language }) => language !== null)?.language ?? null;
}
