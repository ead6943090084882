/** SQL: the event `e` is for the endpoint `w` and not skipped. */
export const WANTED = `(cardinality(w.types) = 0 or e.type = any(w.types))
  and not exists (select 1 from webhook_skip s where s.endpoint_id = w.id and s.event_seq = e.seq)`;
