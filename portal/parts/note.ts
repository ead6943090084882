import { type Html, html } from './html.ts';

/** How something stands: `good` and `bad` are said in words too, never by colour alone. */
export type Tone = 'plain' | 'good' | 'wait' | 'bad';

const classOf = (base: string, tone: Tone): string => (tone === 'plain' ? base : `${base} ${tone}`);

/** A box at the head of a page. Screen readers speak it at once when it is bad, else when they are free. */
export const noteBox = (tone: Tone, content: Html): Html =>
  html`<div class="${classOf('note', tone)}" role="${tone === 'bad' ? 'alert' : 'status'}"><p>${content}</p></div>
`;

/** A word on how something stands, beside its name. */
export const badge = (tone: Tone, text: string): Html => html`<span class="${classOf('badge', tone)}">${text}</span>`;
