import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { languageFromHeader, languageFromTag, readerOf } from '../../../portal/messages/language.ts';
import { translations } from '../../../portal/messages/messages.ts';
import { isMessageKey, MESSAGE_TEXTS } from '../../../portal/messages/pages.ts';
import { refusalText } from '../../../portal/messages/refusal.ts';
import { html } from '../../../portal/parts/html.ts';

const PORTAL = join(import.meta.dirname, '../../../portal');
/** E-mails say their words by the same messages. */
const MAIL = join(PORTAL, '../mail');
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));

const { en, ...others } = MESSAGE_TEXTS;
const keysOf = (texts: object): string[] =>
  Object.entries(texts).flatMap(([page, messages]) => Object.keys(messages as object).map((key) => `${page}.${key}`));
const textAt = (texts: object, key: string): string => {
  const [page = '', name = ''] = key.split('.');
  return (texts as Record<string, Record<string, string>>)[page]?.[name] ?? '';
};

/** The arguments and tags of a message, and the choices it knows. */
function argumentsOf(text: string): string[] {
  const names = new Set<string>();
  const collect = (part: unknown): void => {
    if (Array.isArray(part)) for (const one of part) collect(one);
    else if (typeof part === 'object' && part !== null) {
      const { type, value } = part as { type?: number; value?: string };
      // 0 is literal text, 7 the number sign of a plural
      if (typeof type === 'number' && type !== 0 && type !== 7) names.add(`${type} ${value}`);
      for (const child of Object.values(part)) collect(child);
    }
  };
  collect(new IntlMessageFormat(text, 'en').getAst());
  return [...names].toSorted();
}

/** The choices of `select`, which must be the same everywhere; those of `plural` differ by language. */
function choicesOf(text: string): string[] {
  const found: string[] = [];
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { type, value, options } = part as { type?: number; value?: string; options?: object };
    if (type === 5 && options) found.push(...Object.keys(options).map((choice) => `${value} ${choice}`));
    for (const child of Object.values(part)) collect(child);
  };
  collect(new IntlMessageFormat(text, 'en').getAst());
  return found.toSorted();
}

describe('the messages', () => {
  it('are all in the list of pages', () => {
    for (const language of Object.keys(MESSAGE_TEXTS)) {
      const files = readdirSync(join(PORTAL, 'messages', language)).map((file) => file.replace(/\.json$/, ''));
      expect([language, files.toSorted()]).toEqual([language, Object.keys(en).toSorted()]);
    }
  });

  it.each(Object.entries(others))('have the same keys, arguments and choices in English and in %s', (_, texts) => {
    const keys = keysOf(en);
    expect(keys.length).toBeGreaterThan(50);
    expect(keysOf(texts).toSorted()).toEqual(keys.toSorted());
    const shape = (all: object) => keys.map((key) => [key, argumentsOf(textAt(all, key)), choicesOf(textAt(all, key))]);
    expect(shape(texts)).toEqual(shape(en));
  });

  it('are never empty, and are all used', () => {
    const sources = [PORTAL, MAIL].flatMap(sourcesIn).join('\n');
    const built = [...sources.matchAll(/`([a-z]+\.[a-z_]*)\$\{/g)].map(([, start = '']) => start);
    const listed = [...sources.matchAll(/messages\/en\/([a-z]+)\.json/g)].map(([, page = '']) => `${page}.`);
    const starts = [...built, ...listed];
    const unused = keysOf(en).filter((key) => !sources.includes(`'${key}'`) && !starts.some((start) => key.startsWith(start)));
    expect(unused).toEqual([]);
    for (const texts of Object.values(MESSAGE_TEXTS)) expect(keysOf(texts).filter((key) => textAt(texts, key).trim() === '')).toEqual([]);
  });

  it('escape their values, which may be parts of a page', () => {
    const { text } = translations.en.html('contract.next_charge_at', { total: '<b>1</b>', day: '2 May' });
    expect(text).toBe('<strong>&lt;b&gt;1&lt;/b&gt;</strong> on 2 May');
    expect(translations.en.html('contract.next_charge_at', { total: html`<i>1</i>`, day: '2 May' }).text).toBe(
      '<strong><i>1</i></strong> on 2 May',
    );
  });

  it('refuse to be shown without an argument', () => {
    expect(() => translations.en('contract.since')).toThrow('start');
  });

  it('know the names of stored keys', () => {
    expect([isMessageKey('overview.title'), isMessageKey('overview.nothing'), isMessageKey('toString.x'), isMessageKey('')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('word a refusal by its code, else in general', () => {
    expect(refusalText(translations.de, 'customer_frozen')).toContain('pausiert');
    expect(refusalText(translations.en, 'discount_archived')).toContain("can't be done at the moment");
  });
});

describe('the language of a request', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7', 'en'],
    ['en;q=0.1, de;q=0.2', 'de'],
    ['de;q=0', null],
    ['*', null],
    ['', null],
    ['fr', null],
  ])('that accepts "%s" is %s', (header, language) => {
    expect(languageFromHeader(header)).toBe(language);
  });

  it('is none of the portal for another tag', () => {
    expect([languageFromTag('DE_x'), languageFromTag('de-CH'), languageFromTag('toString')]).toEqual([null, 'de', null]);
  });
});

describe('amounts, numbers and dates', () => {
  const at = Date.UTC(2026, 6, 1, 14, 5);
  it.each([
    ['en', ['USD 1,234.50', 'USD 0.0006', '−USD 5.00', '12,345.5', '81%', '1 July 2026, 14:05 UTC', '1 Jul 2026']],
    ['de', ['1.234,50 USD', '0,0006 USD', '−5,00 USD', '12.345,5', '81 %', '1. Juli 2026, 14:05 UTC', '1. Juli 2026']],
  ] as const)('are written as usual in %s', (language, texts) => {
    const { money, price, number, percent, moment, shortDay } = readerOf(language).format;
    const shown = [money('1234.5', 'usd'), price('0.0006', 'usd'), money('-5', 'usd'), number('12345.5'), percent(0.81), moment(at)];
    expect([...shown, shortDay(at)].map((text) => text.replace('\u00a0', ' '))).toEqual(texts);
  });

  it('have all their digits', () => {
    const { money, number, moment } = readerOf('en').format;
    expect(money('12345678901234567890.12', 'usd')).toBe('USD 12,345,678,901,234,567,890.12');
    expect(number('0.123456789012345678')).toBe('0.123456789012345678');
    expect(moment(Date.UTC(2026, 0, 31))).toBe('31 January 2026');
  });
});
