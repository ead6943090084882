import type { Pause } from '../../../billing/calendar/pauses.ts';

/** Freezes of a customer as JSON, in which Postgres writes instants as ISO text; null where there are none. */
export type StoredPauses = readonly { from: string; to: string | null }[] | null;

/** SQL of an expression: the freezes of a customer, oldest first. */
export const pausesOf = (customerId: string): string =>
  `(select jsonb_agg(jsonb_build_object('from', p.began, 'to', p.ended) order by p.began) from customer_pause p where p.customer_id = ${customerId})`;

export function toPauses(pauses: StoredPauses): Pause[] {
  return (pauses ?? []).map(({ from, to }) => ({ from: Date.parse(from), to: to === null ? null : Date.parse(to) }));
}
