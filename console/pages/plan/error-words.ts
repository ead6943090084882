import { isConsoleKey } from '../../messages/pages.ts';
import type { Reader } from '../../messages/reader.ts';

/** What is wrong with a field in the reader's language, by the code of a rule; else in the words of the API. */
export function errorWords({ t }: Pick<Reader, 't'>, code: string, message: string): string {
  const key = `error.${code}`;
  return isConsoleKey(key) ? t(key) : message;
}
