import type { PageNote } from '../../portal/http/note.ts';
import type { Html } from '../../portal/parts/html.ts';
import type { ConsoleKey } from '../messages/pages.ts';
import type { Print } from './parts.ts';

/** What a page shows below the console's head. */
export interface PageParts {
  readonly title: string;
  readonly content: Html;
  /** 200 unless something is wrong with the request */
  readonly status?: number;
  /** a narrow column, for a form or a short text */
  readonly narrow?: boolean;
  /** seconds after which the page shows itself again, while something is under way */
  readonly refreshSeconds?: number;
}

/** Pages of a fixed text, by the keys of `messages/…/message.json`. */
export type FixedPage =
  | 'not_found'
  | 'requests'
  | 'downloads'
  | 'pages'
  | 'acts'
  | 'form'
  | 'failed'
  | 'read_only'
  | 'unknown'
  | 'catching_up';

/** What a handler gives back. */
export type ConsoleResponse =
  | ({ readonly kind: 'page' } & PageParts)
  | { readonly kind: 'move'; readonly to: string; readonly note: PageNote<ConsoleKey> | null; readonly once?: string }
  | { readonly kind: 'file'; readonly print: Print }
  | { readonly kind: 'fixed'; readonly page: FixedPage; readonly status: number; readonly retryAfter?: number };

export const showPage = (page: PageParts): ConsoleResponse => ({ kind: 'page', ...page });

/** Goes on with another page (303), which may say what was done. */
export const goTo = (to: string, note: PageNote<ConsoleKey> | null = null): ConsoleResponse => ({ kind: 'move', to, note });

/** Goes on with a page that shows a secret, this once: it stands in no address and on no page that answers a form. */
export const goToSecret = (to: string, note: PageNote<ConsoleKey>, secret: string): ConsoleResponse => ({
  kind: 'move',
  to,
  note,
  once: secret,
});

/** A PDF to be saved. */
export const fileOf = (print: Print): ConsoleResponse => ({ kind: 'file', print });

/** The page for what there isn't, also for what belongs to another vendor. */
export const noSuchPage: ConsoleResponse = { kind: 'fixed', page: 'not_found', status: 404 };
