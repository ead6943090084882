import { type Html, html } from '../../portal/parts/html.ts';
import type { Visit } from '../http/visit.ts';
import { isConsoleKey } from '../messages/pages.ts';

/** What is due, in words; by its name where there are none for it. */
export const dueWords = (visit: Visit, kind: string): string => kindWords(visit, `due.${kind}`, kind);

/** What was done, in words; events by their type. */
export const historyWords = (visit: Visit, kind: string): string => (kind.includes('.') ? kind : kindWords(visit, `history.${kind}`, kind));

/** Why the API refused something, as its code says it: English in all languages. */
export const codeWords = (code: string | null): Html => html`<span lang="en">${(code ?? 'internal_error').replaceAll('_', ' ')}</span>`;

const kindWords = ({ t }: Visit, key: string, kind: string): string => (isConsoleKey(key) ? t(key) : kind.replaceAll('_', ' '));
