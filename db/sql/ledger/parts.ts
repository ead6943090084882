/** SQL: the test clock of the customer of `entry`, by key; '' for the wall clock. */
export const CLOCK_OF_CUSTOMER = `coalesce((select c.test_clock_id from customer c where c.id = entry.customer_id), '')`;

/** SQL: notes what `parts` adds to the kept sums of the ledger: a row for each account, currency and day. */
export const KEEP_SUMS = `
    insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)
    select vendor_id, clock_id, 'ledger', kind, currency, date_trunc('day', at), sum(amount), count(*)
    from parts group by vendor_id, clock_id, kind, currency, date_trunc('day', at)`;
