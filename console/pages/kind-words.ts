import type { Visit } from '../http/visit.ts';
import { isConsoleKey } from '../messages/pages.ts';

/** What is due, in words; by its name where there are none for it. */
export const dueWords = (visit: Visit, kind: string): string => kindWords(visit, `due.${kind}`, kind);

/** What was done, in words; events by their type. */
export const historyWords = (visit: Visit, kind: string): string => kindWords(visit, `history.${kind}`, kind);

const kindWords = ({ t }: Visit, key: string, kind: string): string => (isConsoleKey(key) ? t(key) : kind.replaceAll('_', ' '));
