import type { RefusalCode } from '../../billing/refusal.ts';
import type { Translate } from './messages.ts';
import { MESSAGE_TEXTS, type MessageKey } from './pages.ts';

const isKnown = (code: string): code is keyof (typeof MESSAGE_TEXTS)['en']['refusal'] => Object.hasOwn(MESSAGE_TEXTS.en.refusal, code);

/** What a refusal means for a customer: the message of its code, or that it isn't possible now. */
export function refusalText(t: Translate, code: RefusalCode): string {
  const key: MessageKey = isKnown(code) ? `refusal.${code}` : 'refusal.general';
  return t(key);
}
