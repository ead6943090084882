import type { Reader } from '../../messages/language.ts';
import { type Html, html } from '../../parts/html.ts';

/** A short page: a heading, a sentence, and where to go from there. */
export const messageContent = (title: string, text: string, next: Html | null = null): Html =>
  html`<section><h1>${title}</h1><p>${text}</p>${next}</section>`;

/** The way back from a page that a signed-in customer got instead of another one. */
export const backToOverview = ({ t }: Reader): Html => html`<p><a href="/portal">${t('message.back')}</a></p>`;
