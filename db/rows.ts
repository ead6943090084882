import type { Instant } from '../billing/calendar/instant.ts';

const iso = (at: Instant): string => new Date(at).toISOString();

const MOST_STAMPS = 500;
const stamps = new Map<Instant, string>();

/** An instant as a parameter or column value. The rows of a herd carry the same few over and over. */
export function stamp(at: Instant): string {
  const known = stamps.get(at);
  if (known !== undefined) return known;
  const text = iso(at);
  if (stamps.size >= MOST_STAMPS) stamps.clear();
  stamps.set(at, text);
  return text;
}

export const stampOrNull = (at: Instant | null | undefined): string | null => (at === null || at === undefined ? null : iso(at));
