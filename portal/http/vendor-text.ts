import { textIn } from '../../services/portal/look.ts';
import { type Html, html } from '../parts/html.ts';
import type { Visit } from './visit.ts';

/** The places of the pages where a vendor's own text is shown: names in `texts` of the portal preferences. */
type TextPlace = 'welcome' | 'footer' | 'change' | 'cancel' | 'pay';

/** What the vendor says in a place, each line a paragraph; null where it says nothing. */
export function vendorText({ look, language }: Visit, place: TextPlace): Html | null {
  const text = look.texts[place];
  if (text === undefined) return null;
  const lines = textIn(text, language).split('\n');
  return html`<div class="soft">${lines.filter((line) => line.trim() !== '').map((line) => html`<p>${line}</p>`)}</div>`;
}
