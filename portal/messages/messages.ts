import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from '../../db/customer/language.ts';
import { Html, html } from '../parts/html.ts';
import { MESSAGE_TEXTS, type MessageKey } from './pages.ts';

/** The texts of one language by page and name; together they make the key `page.name`. */
type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

type MessageValue = string | number;

/** The text of a message in one language; its values are the arguments that the message names. */
export interface Translate<Key extends string = MessageKey> {
  (key: Key, values?: Readonly<Record<string, MessageValue>>): string;
  /** As a part of a page: values may be parts themselves, and the message may stress a part with `<strong>`. */
  html(key: Key, values?: Readonly<Record<string, MessageValue | Html>>): Html;
}

/** Where both the customer's language and English lack a text, which the compiler prevents, the key itself is shown. */
const textOf = (texts: Texts, key: string): string => {
  const [page = '', name = ''] = key.split('.');
  return texts[page]?.[name] ?? key;
};

/** The locale whose rules for numbers, dates and plurals a language follows. */
export const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** A message is parsed once in each language. */
function parser(language: Language, texts: Texts): (key: string) => IntlMessageFormat {
  const parsed = new Map<string, IntlMessageFormat>();
  return (key) => {
    const known = parsed.get(key);
    if (known !== undefined) return known;
    const message = new IntlMessageFormat(textOf(texts, key), LOCALES[language]);
    parsed.set(key, message);
    return message;
  };
}

const strong = (parts: readonly (string | Html)[]): Html => html`<strong>${parts.map(partOf)}</strong>`;
const partOf = (part: string | number | Html): Html => (part instanceof Html ? part : html`${part}`);

function translateTo<Key extends string>(language: Language, texts: Texts): Translate<Key> {
  const messageOf = parser(language, texts);
  const text = (key: Key, values?: Readonly<Record<string, MessageValue>>): string => String(messageOf(key).format<string>(values));
  const rich = (key: Key, values: Readonly<Record<string, MessageValue | Html>> = {}): Html => {
    const parts = messageOf(key).format<string | Html>({ ...values, strong });
    return html`${(Array.isArray(parts) ? parts : [parts]).map(partOf)}`;
  };
  return Object.assign(text, { html: rich });
}

/** The messages of each language, of a set of texts. */
export const translationsOf = <Key extends string>(
  texts: Readonly<Record<Language, Texts>>,
): Readonly<Record<Language, Translate<Key>>> => ({
  en: translateTo('en', texts.en),
  de: translateTo('de', texts.de),
});

/** The portal's messages of each language. */
export const translations = translationsOf<MessageKey>(MESSAGE_TEXTS);
