import { newestUses } from '../../db/sql/credit/newest-uses.ts';
import { newestMovements } from '../../db/sql/wallet/newest-movements.ts';
import { grantCredits } from '../../services/credit/grant.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { grant } from '../../services/wallet/grant.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { countingReads } from '../support/rows-read.ts';

const MANY = 2_000;
const SHOWN = 20;

const MOVEMENTS = `insert into wallet_transaction (id, wallet_id, amount, balance_after, description, at, kind, occasion)
  select 'Txn_' || n, (select id from wallet where customer_id = $1 and currency = 'usd'), n, n, 'By hand', now(), 'grant', n::text
  from generate_series(1, $2::int) n`;
const USES = `insert into credit_movement (id, grant_id, kind, amount, balance_after, at, occasion)
  select 'Use_' || n, $1, 'used', -n, 0, now(), n::text from generate_series(1, $2::int) n`;

let own: OwnDatabase;
let vendorId: string;
let customerId: string;
beforeAll(async () => {
  own = await ownDatabase();
  ({ vendorId } = await createVendor(own.db, 'Many movements'));
  const customer = { ...blankCustomer(vendorId, null, Date.now()), name: 'Acme', status: 'active' as const };
  customerId = customer.id;
  const usual = { kind: 'promotional' as const, price: null, effectiveAt: null, expiresAt: null, priority: 50 };
  const all = { features: null, plans: null, description: null };
  const grantId = await own.db.transaction(async (tx) => {
    await insertCustomer(tx, customer, Date.now());
    for (const currency of ['eur', 'usd'] as const)
      await grant(tx, { vendorId, customerId, currency, amount: '1.00', description: 'First', at: Date.now() });
    return grantCredits(tx, { ...usual, ...all, vendorId, customerId, currency: 'usd', amount: '1.00' });
  });
  await own.db.query(MOVEMENTS, [customerId, MANY]);
  await own.db.query(USES, [grantId, MANY]);
  for (const table of ['wallet_transaction', 'credit_movement']) await own.db.query(`analyze ${table}`);
});
afterAll(() => own.drop());

const down = (newest: number): number[] => Array.from({ length: SHOWN }, (_, n) => newest - SHOWN + 1 + n);

it(`of ${MANY} movements of a wallet the newest ${SHOWN} are read, and as many of each other one`, async () => {
  const counting = countingReads(own.db, ['wallet_transaction']);
  const found = await newestMovements(counting, vendorId, customerId, SHOWN);
  expect(found.map(({ currency, amount }) => [currency, Number(amount)])).toEqual(down(MANY).map((n) => ['usd', n]));
  expect(counting.read).toBeLessThanOrEqual(2 * SHOWN);
});

it('movements of two wallets are in the order in which they came', async () => {
  const found = await newestMovements(own.db, vendorId, customerId, 3 * MANY);
  expect(found.slice(0, 3).map(({ currency, description, amount }) => [currency, description, Number(amount)])).toEqual([
    ['eur', 'First', 1],
    ['usd', 'First', 1],
    ['usd', 'By hand', 1],
  ]);
});

it(`of ${MANY} uses of a grant the newest ${SHOWN} are read`, async () => {
  const counting = countingReads(own.db, ['credit_movement']);
  const found = await newestUses(counting, { vendorId, customerId, currency: 'usd' }, SHOWN);
  expect(found.map(({ amount }) => Number(amount))).toEqual(down(MANY));
  expect(counting.read).toBeLessThanOrEqual(SHOWN + 1);
});
