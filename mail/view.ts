import { readerOf } from '../portal/messages/language.ts';
import { type Html, html } from '../portal/parts/html.ts';
import type { OutgoingEmail } from '../services/email/port.ts';
import { wordsOfEmail } from './words.ts';

/** An e-mail as it is read: its subject, and its content with and without markup. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
}

/** @param link opens the portal once */
export function contentOf(email: Omit<OutgoingEmail, 'portalToken' | 'attachment'>, link: string): EmailContent {
  const { language, to, vendor, footer } = email;
  const { t } = readerOf(language);
  const { subject, title, paragraphs, button } = wordsOfEmail(email);
  const greeting = to.name === '' ? t('email.greeting_unnamed') : t('email.greeting', { name: to.name });
  const all = [greeting, ...paragraphs, ...(email.text === null ? [] : [email.text])];
  const note = t('email.link_note');
  const foot = [vendor.name, ...(footer === null ? [] : [footer])];
  return {
    subject,
    text: [title, ...all, `${button}: ${link}`, note, foot.join('\n')].join('\n\n').concat('\n'),
    html: page({ language, title, paragraphs: all, button, link, note, foot, color: vendor.color }).text,
  };
}

interface Page {
  language: string;
  title: string;
  paragraphs: string[];
  button: string;
  link: string;
  note: string;
  foot: string[];
  color: string;
}

const FONT = 'font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;color:#1c1c1c';
const SMALL = 'font-size:13px;color:#5c5c5c';

/** Styles stand at their elements and nothing is loaded: mail programs drop style sheets and block images. */
const page = ({ language, title, paragraphs, button, link, note, foot, color }: Page): Html => html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="margin:0;padding:24px;${FONT}"><div style="max-width:560px;margin:0 auto">
<h1 style="font-size:22px;line-height:1.3;margin:0 0 16px">${title}</h1>
${paragraphs.map((text) => html`<p style="margin:0 0 12px;white-space:pre-line">${text}</p>`)}
<p style="margin:24px 0 8px"><a href="${link}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:${color};color:#ffffff;text-decoration:none">${button}</a></p>
<p style="margin:0 0 24px;${SMALL}">${note}</p>
<hr style="border:0;border-top:1px solid #dddddd">
${foot.map((text) => html`<p style="margin:8px 0 0;white-space:pre-line;${SMALL}">${text}</p>`)}
</div></body></html>
`;
