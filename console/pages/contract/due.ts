import type { Visit } from '../../http/visit.ts';
import { isConsoleKey } from '../../messages/pages.ts';

/** What is due, in words; by its name where there are none for it. */
export function dueWords({ t }: Visit, kind: string): string {
  const key = `due.${kind}`;
  return isConsoleKey(key) ? t(key) : kind.replaceAll('_', ' ');
}
