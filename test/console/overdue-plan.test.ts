import { overdueOfVendor } from '../../db/sql/agenda/overdue-of-vendor.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

const CUSTOMERS = 100_000;
/** Written by one statement, within its time also where the machine is busy. */
const AT_ONCE = 10_000;
const MOST = 51;

/** Contracts of a vendor that were all to be renewed at one instant, as on the first of a month. */
const INSERT = `
  insert into agenda (vendor_id, customer_id, contract_id, workflow_id, kind, subject, due_at, detail, held)
  select $1, 'Cust_' || n, 'Cont_' || n, 'Cont_' || n, 'rollover', $1 || n, $2::timestamptz, '{}', false from generate_series($3::int, $4::int) n`;

describe('what is overdue of a vendor', () => {
  let own: OwnDatabase;
  beforeAll(async () => {
    own = await ownDatabase();
    const rows = async (vendor: string, dueAt: string) => {
      for (let before = 0; before < CUSTOMERS; before += AT_ONCE) await own.db.query(INSERT, [vendor, dueAt, before + 1, before + AT_ONCE]);
    };
    await rows('Large', '2025-01-01T00:00:00Z');
    await rows('Waiting', '2125-01-01T00:00:00Z');
    await own.db.query('analyze agenda');
  });
  afterAll(() => own?.drop());

  it.each([
    ['Large', MOST],
    ['Waiting', 0],
    ['Small', 0],
  ])(`reads no more rows than it shows of %s, beside ${CUSTOMERS} that are due together`, async (vendor, found) => {
    const counting = countingReads(own.db, ['agenda']);
    expect(await overdueOfVendor(counting, vendor, null, MOST)).toHaveLength(found);
    expect(counting.read).toBe(found);
  });
});
