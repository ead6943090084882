import { checkLedger } from '../../db/sql/ledger/check.ts';
import { flatPrice } from '../api/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const undone = new Error('undone');

/** What the checks find once a statement has changed rows, which are as before afterwards. */
async function foundAfter({ vendorId }: TestVendor, sql: string): Promise<string[]> {
  let found: string[] = [];
  const change = withTestDatabase((db) =>
    db.transaction(async (tx) => {
      await tx.query(sql, [vendorId]);
      const problems = await checkLedger(tx, vendorId);
      found = problems.filter(({ check }) => /grant|use is/.test(check)).map(({ check, detail }) => `${check}: ${detail}`);
      throw undone;
    }),
  );
  await expect(change).rejects.toBe(undone);
  return found;
}

/** One more movement of a grant of 40.00 of which 29.00 are used. */
const moved = (kind: string, amount: string, { leaves = '11.00', paid = '[]' } = {}): string =>
  `insert into credit_movement (id, grant_id, kind, amount, balance_after, invoice_id, at, occasion, lines)
   select 'Txn_x', m.grant_id, '${kind}', ${amount}, ${leaves}, m.invoice_id, m.at, 'x', '${paid}'
   from credit_movement m join credit_grant g on g.id = m.grant_id where g.vendor_id = $1 and m.kind = 'used'`;

describe('the checks of grants find', () => {
  let vendor: TestVendor;
  beforeAll(async () => {
    vendor = await newVendor();
    const { api } = vendor;
    const customer = await api.made('/v1/c/customer', { name: 'Ada' });
    await api.made('/v1/c/credit_grant', { customer, currency: 'usd', amount: '40', kind: 'promotional' });
    const pricings = [{ currency: 'usd', cycle: 'month', price: flatPrice('29.00'), features: {} }];
    const plan = await api.made('/v1/c/plan', { slug: 'pro', internal_name: 'Pro', strategy: 'plan', features: [], pricings });
    await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  });

  const PARTS = 'used 29.00, expired 0, voided 0, given back 0, taken back 0';
  it.each([
    ['nothing where 29.00 of 40.00 are used', 'select $1', []],
    [
      'what is left and was never moved, in the ledger too',
      'update credit_grant set balance = 10.00 where vendor_id = $1',
      [
        `a grant is what it was used for, what ended of it and what is left: granted 40.00, ${PARTS}, left 10.00`,
        expect.stringContaining('the grants of a customer are its account in the ledger'),
      ],
    ],
    [
      'what came back of an invoice and was never paid',
      moved('returned', '30', { leaves: '41' }),
      [
        expect.stringContaining('granted 40.00, used -1.00'),
        expect.stringMatching(/a grant gets back of an invoice no more than it has paid: 1.00 more than it paid of Inv_/),
      ],
    ],
    [
      'a movement that leaves another amount',
      moved('expired', '0', { leaves: '12.00' }),
      [expect.stringContaining('Txn_x leaves 12.00, not 11.00')],
    ],
    [
      'a use that paid no line',
      moved('used', '0', { paid: '[{"line":"Item_x","at":0,"amount":"1.00"}]' }),
      [expect.stringContaining('Txn_x of 0 paid 1.00')],
    ],
    [
      'what is left of a grant that has expired',
      'update credit_grant set expired_at = now() where vendor_id = $1',
      ['nothing is left of a grant that has expired or was voided: 11.00 left'],
    ],
  ])('%s', async (_, sql, expected) => {
    expect(await foundAfter(vendor, sql)).toEqual(expected);
  });
});
