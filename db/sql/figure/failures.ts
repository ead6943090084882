import { NEVER_MADE } from '../../payment/never-made.ts';

/**
 * SQL: what counts of attempts `rows`: of each invoice the first that failed before it was paid, and what succeeded
 * from then on.
 *
 * @param by the column that tells invoices apart
 */
export const failuresOf = (by: string): string => `
    first_failed as (
      select distinct on (${by}) * from rows f where status = 'failed' and coalesce(reason, '') <> all ('{${NEVER_MADE.join()}}')
        and not exists (select from rows s where s.${by} = f.${by} and s.status = 'succeeded' and s.ended < f.ended)
      order by ${by}, ended, id
    ),
    counted as (
      select f.*, 'failed' as part from first_failed f
      union all
      select r.*, 'recovered' from rows r join first_failed f on f.${by} = r.${by} where r.status = 'succeeded' and r.ended >= f.ended
    )`;
