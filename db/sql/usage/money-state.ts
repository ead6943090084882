import { isContractOpen } from '../contract/is-open.ts';
import { closesByItself } from '../contract/open-periods.ts';
import { rowVersion } from '../contract/row-version.ts';
import { WAITS } from '../credit/top-ups-of.ts';

/** SQL: the tax policy and rates of a customer `c`'s vendor, which grants pay for as well. */
const TAXES = `(select v.xmin::text || coalesce((select string_agg(x.id || ':' || x.xmin::text, ' ' order by x.id) from tax_rate x
    where x.vendor_id = v.id), '') from vendor v where v.id = c.vendor_id)`;

/** SQL: the versions of a customer `c`'s grants of which something is left. */
const GRANTS = `(select string_agg(g.id || ':' || g.xmin::text, ' ' order by g.id) from credit_grant g where g.customer_id = c.id and g.balance > 0)`;

/**
 * SQL: names all that a customer `c`'s open usage and live credits depend on besides its counters. The name changes
 * with any write of the customer (also when a limit, an alert or a top-up is set or deleted), of its contracts that
 * take usage, their open periods, its grants and top-ups, and of its vendor's taxes, and when a top-up begins or ceases
 * to wait. Periods that only a caller closes, which may be thousands, are left out: what writes one of them writes its
 * contract too, or works the room out again.
 */
export const MONEY_STATE = `md5(concat_ws(' ', ${rowVersion('c')},
    (select string_agg(t.id || ':' || t.xmin::text, ' ' order by t.id) from contract t where t.customer_id = c.id and ${isContractOpen('t')}),
    (select string_agg(p.contract_id || ':' || p.idx || ':' || p.xmin::text, ' ' order by p.contract_id, p.idx)
     from contract t join usage_period p on p.contract_id = t.id and ${closesByItself('p')} where t.customer_id = c.id and ${isContractOpen('t')}),
    ${GRANTS}, case when ${GRANTS} is not null then ${TAXES} end,
    (select string_agg(t.id || ':' || t.xmin::text || ':' || (${WAITS})::text, ' ' order by t.id) from credit_top_up t where t.customer_id = c.id)))`;
