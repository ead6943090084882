import type { Queryable } from '../connect.ts';
import { FINDINGS_READ } from './most-findings.ts';

/** An e-mail that a mail server didn't take, again and again, or that was given up. */
export interface TroubledEmail {
  customerId: string;
  /** its kind and what it is about */
  email: string;
  object: string;
  reason: string;
}

/** After so many tries, 36 minutes after the first one, an e-mail is worth a look. */
const TRIES = 4;

/** E-mails that are tried again and again, and those that were given up in the last seven days. */
export const troubledEmails = (db: Queryable): Promise<TroubledEmail[]> =>
  db.query<TroubledEmail>(
    `select customer_id as "customerId", detail ->> 'email' as email, detail ->> 'object' as object,
        'tried ' || (detail ->> 'tries') || ' times, ' || coalesce(detail ->> 'reason', '') as reason
      from agenda where kind = 'email' and (detail ->> 'tries')::int >= $1
     union all
     select h.customer_id, split_part(h.notes, ':', 1), h.object, 'given up' || substr(h.notes, length(split_part(h.notes, ':', 1)) + 1)
      from customer_history h
      where h.kind = 'email_failed' and h.at > now() - interval '7 days' and not exists (
        select 1 from customer_history s where s.customer_id = h.customer_id and s.kind = 'email_sent' and s.object = h.object and s.id > h.id)
     order by 1, 2 limit ${FINDINGS_READ}`,
    [TRIES],
  );
