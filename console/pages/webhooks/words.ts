import type { ListedTry } from '../../../db/sql/webhook/list.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge, type Tone } from '../../../portal/parts/note.ts';
import type { EndpointView } from '../../../services/console/webhooks.ts';
import type { Reader } from '../../messages/reader.ts';

/** How an endpoint stands, in a word: one that refuses something stands out although the rest goes through. */
export function endpointBadge({ t }: Reader, { status, failing }: Pick<EndpointView, 'status' | 'failing'>): Html {
  if (status === 'paused') return badge('wait', t('webhook.status_paused'));
  return failing > 0 ? badge('bad', t('webhook.status_failing')) : badge('good', t('webhook.status_active'));
}

const TRY_TONES: Readonly<Record<ListedTry['status'], Tone>> = { delivered: 'good', failed: 'bad', skipped: 'plain' };

export const tryBadge = ({ t }: Reader, { status }: ListedTry): Html => badge(TRY_TONES[status], t(`webhook.try_${status}`));

/** How a failed try ended: with a status, or without an answer for a reason that is said in English. */
export function failureWords({ t }: Reader, { statusCode, error }: { statusCode: number | null; error: string | null }): Html | null {
  if (statusCode !== null) return html`${t('webhook.answered', { code: String(statusCode) })}`;
  return error === null ? null : html`<span lang="en">${error}</span>`;
}

/** Which events an endpoint gets, in a few words. */
export const typesWords = ({ t }: Reader, types: readonly string[]): string =>
  types.length === 0 ? t('webhook.all_types') : t('webhook.types_count', { count: types.length });

/** How many objects wait after a failure; they are counted up to a thousand. */
export const failingWords = ({ t, format }: Reader, failing: number): string =>
  failing >= MOST_COUNTED ? t('webhook.many', { count: format.number(String(MOST_COUNTED)) }) : format.number(String(failing));

const MOST_COUNTED = 1_000;
