/**
 * SQL: a payment of a clock's customers is being made at an instant. One that waits for its provider until later isn't:
 * it is on the agenda.
 *
 * @param clock SQL of the clock's id
 * @param now SQL of the instant
 */
export const paymentUnderWay = (clock: string, now: string): string =>
  `exists (select from payment_attempt u where u.test_clock_id = ${clock} and u.status = 'processing' and (u.ask_at is null or u.ask_at <= ${now}))`;
