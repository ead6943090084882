import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from '../../db/customer/language.ts';
import { Html, html } from '../parts/html.ts';
import { MESSAGE_TEXTS, type MessageKey } from './pages.ts';

type MessageValue = string | number;

/** The text of a message in one language; its values are the arguments that the message names. */
export interface Translate {
  (key: MessageKey, values?: Readonly<Record<string, MessageValue>>): string;
  /** As a part of a page: values may be parts themselves, and the message may stress a part with `<strong>`. */
  html(key: MessageKey, values?: Readonly<Record<string, MessageValue | Html>>): Html;
}

/** Where both the customer's language and English lack a text, which the compiler prevents, the key itself is shown. */
const textOf = (language: Language, key: MessageKey): string => {
  const [page = '', name = ''] = key.split('.');
  const texts: Record<string, Record<string, string>> = MESSAGE_TEXTS[language];
  return texts[page]?.[name] ?? key;
};

/** The locale whose rules for numbers, dates and plurals a language follows. */
export const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** A message is parsed once in each language. */
const compiled = new Map<string, IntlMessageFormat>();

function messageOf(language: Language, key: MessageKey): IntlMessageFormat {
  const name = `${language} ${key}`;
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const message = new IntlMessageFormat(textOf(language, key), LOCALES[language]);
  compiled.set(name, message);
  return message;
}

const strong = (parts: readonly (string | Html)[]): Html => html`<strong>${parts.map(partOf)}</strong>`;
const partOf = (part: string | number | Html): Html => (part instanceof Html ? part : html`${part}`);

function translateTo(language: Language): Translate {
  const text = (key: MessageKey, values?: Readonly<Record<string, MessageValue>>): string =>
    String(messageOf(language, key).format<string>(values));
  const rich = (key: MessageKey, values: Readonly<Record<string, MessageValue | Html>> = {}): Html => {
    const parts = messageOf(language, key).format<string | Html>({ ...values, strong });
    return html`${(Array.isArray(parts) ? parts : [parts]).map(partOf)}`;
  };
  return Object.assign(text, { html: rich });
}

/** The messages of each language. */
export const translations: Readonly<Record<Language, Translate>> = { en: translateTo('en'), de: translateTo('de') };
