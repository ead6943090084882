import type { Reader } from '../../messages/language.ts';
import { errorSummary } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';

/** A short page: a heading, a sentence, and where to go from there. */
export const messageContent = (title: string, text: string, next: Html | null = null): Html =>
  html`<section><h1>${title}</h1><p>${text}</p>${next}</section>`;

/** The way back from a page that a signed-in customer got instead of another one. */
export const backToOverview = ({ t }: Reader): Html => html`<p><a href="/portal">${t('message.back')}</a></p>`;

/** What is wrong with a form, by the names of its fields; null when nothing is. Stands above the form. */
export const formErrors = ({ t }: Reader, errors: ReadonlyMap<string, string>): Html | null =>
  errorSummary(t('frame.errors_title', { count: errors.size }), errors);
