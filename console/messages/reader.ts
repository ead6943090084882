import type { Language } from '../../db/customer/language.ts';
import { type Reader as PortalReader, readerOf as portalReaderOf } from '../../portal/messages/language.ts';
import { type Translate, translationsOf } from '../../portal/messages/messages.ts';
import type { Format } from '../../portal/parts/format.ts';
import { CONSOLE_TEXTS, type ConsoleKey } from './pages.ts';

/** What a page needs to write to the vendor's people: the messages and formats of one language. */
export interface Reader {
  readonly language: Language;
  readonly t: Translate<ConsoleKey>;
  readonly format: Format;
  /** for words that customers read too: of lines, prices and payment methods */
  readonly portal: PortalReader;
}

const translations = translationsOf<ConsoleKey>(CONSOLE_TEXTS);

export function readerOf(language: Language): Reader {
  const portal = portalReaderOf(language);
  return { language, t: translations[language], format: portal.format, portal };
}
