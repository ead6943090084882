import type { Pause } from '../../billing/calendar/pauses.ts';

/** Freezes of a customer; inside JSON Postgres writes instants as ISO text. */
export function toPauses(pauses: readonly { from: string; to: string | null }[] | null): Pause[] {
  return (pauses ?? []).map(({ from, to }) => ({ from: Date.parse(from), to: to === null ? null : Date.parse(to) }));
}
