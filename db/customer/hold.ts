import type { Tx } from '../connect.ts';
import { CUSTOMER_COLUMNS, type CustomerRecordRow, toCustomer } from '../mapping/customer.ts';
import { Refusal } from '../refusal.ts';
import type { CustomerRecord } from './customer.ts';

export interface HeldCustomer {
  customer: CustomerRecord;
  /** the time of the customer: its test clock's, or the wall's */
  now: number;
}

interface HoldOptions {
  /** Also while frozen: activating, provider results. */
  evenFrozen?: boolean;
  /** Holds the row against every other write, not only against being frozen. */
  exclusive?: boolean;
}

/**
 * Holds a customer for a write: against a freeze and against an advance of its clock until the transaction ends.
 * Refuses `customer_not_found`, `customer_frozen`, `clock_advancing`.
 */
export async function holdCustomer(tx: Tx, vendorId: string, id: string, options: HoldOptions = {}): Promise<HeldCustomer> {
  const lock = options.exclusive === true ? 'for update' : 'for key share';
  const [row] = await tx.query<CustomerRecordRow>(
    `select ${CUSTOMER_COLUMNS} from customer where customer.vendor_id = $1 and customer.id = $2 ${lock}`,
    [vendorId, id],
  );
  if (row === undefined) throw new Refusal('customer_not_found', 'there is no such customer');
  const now = row.test_clock_id === null ? Date.now() : await holdClock(tx, row.test_clock_id);
  if (row.status === 'inactive' && options.evenFrozen !== true) throw new Refusal('customer_frozen', 'the customer is frozen');
  return { customer: toCustomer(row), now };
}

/** The time of a clock that stands still; it can't start to move until the transaction ends. */
export async function holdClock(tx: Tx, clockId: string): Promise<number> {
  const [clock] = await tx.query<{ now: number; status: string }>('select now, status from test_clock where id = $1 for share', [clockId]);
  if (clock === undefined) throw new Refusal('test_clock_not_found', 'there is no such test clock');
  if (clock.status === 'advancing') throw new ClockMoves();
  return clock.now;
}

/** A refusal that ends by itself. */
class ClockMoves extends Refusal {
  readonly retryAfter = 1;

  constructor() {
    super('clock_advancing', 'the test clock of this customer is advancing');
  }
}
