import type { Translate } from '../messages/messages.ts';
import { isMessageKey, type MessageKey } from '../messages/pages.ts';
import { isSameSecret, sealOf } from './csrf.ts';

/** What the next page says about an act: a message and its values. */
export interface PageNote<Key extends string = MessageKey> {
  readonly key: Key;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** A note waits in a cookie for the page behind a redirect, sealed so that no other site can write one. */
export function noteToCookie(session: string, { key, values = {} }: PageNote<string>): string {
  const text = Buffer.from(JSON.stringify({ key, values })).toString('base64url');
  return `${text}.${sealOf(session, text)}`;
}

/** The note of a cookie; null when this session didn't get it from us, or there is no such message any more. */
export function noteInCookie<Key extends string>(
  session: string,
  cookie: string,
  isKey: (key: string) => key is Key,
): PageNote<Key> | null {
  const [text = '', seal = ''] = cookie.split('.');
  if (!isSameSecret(seal, sealOf(session, text))) return null;
  const note = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as { key: string; values: Record<string, string> };
  return isKey(note.key) ? { key: note.key, values: note.values } : null;
}

export const noteFromCookie = (session: string, cookie: string): PageNote | null => noteInCookie(session, cookie, isMessageKey);

export const noteText = (t: Translate, { key, values }: PageNote): string => t(key, values);
