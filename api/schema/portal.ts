import { z } from 'zod';
import { LANGUAGES } from '../../db/customer/language.ts';
import { returnUrlOf } from '../../services/portal/return-url.ts';
import { listOf, mapOf, Name, PlanId } from './common.ts';

export const Language = z.enum(LANGUAGES).meta({ id: 'Language', description: 'en: English; de: German.' });

const MOST_PLANS = 200;
const MOST_LINKS = 20;
const MOST_TEXTS = 50;
const MOST_RETURN_URLS = 50;
const LONGEST_URL = 2_000;
const LONGEST_TEXT = 2_000;
/** About 64 KB of an image, which each page contains. */
const LONGEST_IMAGE = 90_000;

const IMAGE = /^data:image\/(png|jpeg|gif|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;
const isHttps = (text: string): boolean => returnUrlOf(text)?.protocol === 'https:';
const isMail = (text: string): boolean => /^mailto:[^\s@?\\]+@[^\s@\\]+$/i.test(text);

const Logo = z
  .string()
  .max(LONGEST_IMAGE)
  .refine(
    (text) => IMAGE.test(text) || (text.length <= LONGEST_URL && isHttps(text)),
    `must be an https URL of at most ${LONGEST_URL} characters, or an image as data:image/png;base64,… (also jpeg, gif, webp, svg+xml)`,
  );
const Color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a color of the form #rrggbb')
  .transform((color) => color.toLowerCase())
  .meta({ type: 'string', examples: ['#1f6f54'] });
const LinkUrl = z
  .string()
  .max(LONGEST_URL)
  .refine((text) => isHttps(text) || isMail(text), 'must be an https URL or mailto: with an e-mail address');
const ReturnUrl = z
  .string()
  .max(LONGEST_URL)
  .refine((text) => returnUrlOf(text) !== null, 'must be an https URL without a user name; http only for localhost, 127.0.0.1 or [::1]');

/** One text, or one for each language; a language that is absent has the English text. */
export const textIn = (longest: number) => {
  const text = z.string().min(1).max(longest);
  const texts = z.strictObject({
    en: text.optional().describe('The English text.'),
    de: text.optional().describe('The German text.'),
  });
  return z.union([text, texts.refine(({ en, de }) => en !== undefined || de !== undefined, 'must have a text for en or de')]);
};

const Link = z.strictObject({
  label: textIn(100).describe('What the link is called: one text, or one by language.'),
  url: LinkUrl.describe('Where it leads: https, or mailto with an e-mail address.'),
});

export const PortalRequest = z
  .strictObject({
    plans: listOf(PlanId, MOST_PLANS)
      .nullish()
      .describe(
        'Plans that customers may change to, in this order; an empty list offers none. Null: all active plans with a pricing in the contract’s currency, as at the start.',
      ),
    name: Name.min(1).nullish().describe('Name at the top of each page; null: the name of the vendor.'),
    logo_url: Logo.nullish().describe('Logo at the top of each page: an https URL, or the image itself as a data URL; null for none.'),
    color: Color.nullish().describe('Color of buttons and links as #rrggbb; null: a green of ours.'),
    links: listOf(Link, MOST_LINKS)
      .nullish()
      .describe('Links at the foot of each page, for example to your terms; replaced as a whole. Null clears them.'),
    texts: mapOf(textIn(LONGEST_TEXT), MOST_TEXTS)
      .nullish()
      .describe(
        'Your own texts by name: `welcome` on the first page, `footer` on each, `change` and `cancel` on those pages, `pay` where payments are made outside the portal; others are stored only. Replaced as a whole; null clears them.',
      ),
    return_urls: listOf(ReturnUrl, MOST_RETURN_URLS)
      .nullish()
      .describe(
        'Origins that a link to the portal may send customers back to (`return_url` of `authenticate`): scheme, host and port count, a path doesn’t. Null clears them.',
      ),
    language: Language.nullish().describe('Language of the portal and of e-mails for customers without a `language`; null: en.'),
  })
  .meta({
    id: 'PortalRequest',
    description: 'How the portal looks and what it offers; absent fields are not changed, null is the default.',
  });

export const PortalPreferences = z
  .object({
    plans: z.array(PlanId).nullable().describe('Plans that customers may change to; null: all that are sold in the contract’s currency.'),
    name: z.string().nullable().describe('Name at the top of each page; null: the name of the vendor.'),
    logo_url: z.string().nullable().describe('Logo at the top of each page; null for none.'),
    color: z.string().nullable().describe('Color of buttons and links as #rrggbb in lower case; null: a green of ours.'),
    links: z
      .array(
        z.object({
          label: textIn(100).describe('What the link is called: one text, or one by language.'),
          url: z.string().describe('Where it leads.'),
        }),
      )
      .describe('Links at the foot of each page; empty for none.'),
    texts: z.record(z.string(), textIn(LONGEST_TEXT)).describe('Your own texts by name; empty for none.'),
    return_urls: z.array(z.string()).describe('Origins that customers may be sent back to; empty for none.'),
    language: Language.describe('Language of the portal and of e-mails for customers without a `language`.'),
  })
  .meta({ id: 'PortalPreferences', description: 'How the portal looks and what it offers.' });
