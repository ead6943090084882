import { isConsoleKey } from '../../messages/pages.ts';
import type { Reader } from '../../messages/reader.ts';

/** What is wrong with a field in the reader's language, by the code of a rule; in the words of the API where there are none. */
export function errorWords({ t }: Pick<Reader, 't'>, code: string, message: string): string {
  const key = `error.${code}`;
  return isConsoleKey(key) ? t(key) : message;
}
