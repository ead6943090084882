import { customerList } from '../../db/sql/customer/list.ts';
import { readPage } from '../../db/sql/list/page.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

const none = { metadataKeys: [], metadataEntries: {} };

describe('a page of customers by a plan, or by its name', () => {
  const [CUSTOMERS, OF_LATE, SHOWN] = [3_000, 300, 20];

  const MADE = `
    insert into customer (id, vendor_id, created, name, emails, email_keys, addresses, metadata, status, configuration, search)
    select 'Cust_' || gen_random_uuid(), $1, now() + n * interval '1 second', 'n' || n, '{}', '{}', '{}', '{}', 'active', '{}', 'n' || n
    from generate_series(0, $2::int - 1) n`;
  /** As many contracts of a plan that the first customers have, and then of one that the last ones have. */
  const SIGNED = `
    insert into contract (id, vendor_id, customer_id, plan_id, plan_name, pricing_id, root_id, status, cycle, currency, terms, configuration, created,
      custom_charged, amount, is_successor)
    select 'Cont_' || c.n || '_' || which, $1, c.id, p.plan, p.plan, 'Pric_1', 'Cont_' || c.n, 'active', 'month', 'usd', '{}', '{}', now(), '{}', 10, which = 2
    from (select id, row_number() over (order by created, id) as n from customer where vendor_id = $1) c, generate_series(1, 2) which,
      lateral (select case when c.n <= $2 then 'early' else 'late' end as plan) p`;

  it('reads the rows that it shows, wherever in the list of all customers they are', async () => {
    const own = await ownDatabase();
    try {
      const { vendorId } = await createVendor(own.db, 'Many');
      await own.db.query(MADE, [vendorId, CUSTOMERS]);
      await own.db.query(SIGNED, [vendorId, CUSTOMERS - OF_LATE]);
      await own.db.query('vacuum analyze customer, contract');
      for (const [plan, total] of [
        ['early', CUSTOMERS - OF_LATE],
        ['late', OF_LATE],
      ] as const)
        for (const filter of [{ planId: plan }, { planName: plan }])
          for (const from of ['head', 'end'] as const) {
            const counting = countingReads(own.db, ['customer', 'contract']);
            const page = await readPage<{ name: string }>(counting, customerList(vendorId, { ...none, ...filter }), { from }, SHOWN);
            const first = (plan === 'early' ? 0 : CUSTOMERS - OF_LATE) + (from === 'head' ? 0 : total - SHOWN);
            const names = page.rows.map(({ name }) => name);
            expect([page.total, names]).toEqual([total, Array.from({ length: SHOWN }, (_, n) => `n${first + n}`)]);
            // both contracts of each customer, a look at which of them is the first, and the customer
            expect({ ...filter, from, read: counting.read }).toEqual({ ...filter, from, read: Math.min(counting.read, 8 * SHOWN) });
          }
    } finally {
      await own.drop();
    }
  });
});
