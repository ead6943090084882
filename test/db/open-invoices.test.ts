import { newId } from '../../db/id.ts';
import { noteProcessing } from '../../db/sql/payment/note-processing.ts';
import { lockOpenInvoices } from '../../db/sql/wallet/lock-open-invoices.ts';
import { SigningIntake } from '../../services/contract/sign-together.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { countingReads } from '../support/rows-read.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

const CUSTOMERS = 20;

let kit: Kit;
let customers: string[];
beforeAll(async () => {
  kit = await openKit(await servers());
  const plan = await kit.plan('10.00');
  customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => kit.customer()));
  const signings = new SigningIntake(kit.db);
  await Promise.all(
    customers.map((customer) => {
      const input = kit.signInput(customer, plan);
      return signings.sign({ input, contractId: newId('Cont'), asker: { caller: { type: 'system', id: null } }, answer: null });
    }),
  );
});
afterAll(() => kit.close());

const ownersOf = (ids: readonly string[]) => ids.map((customerId) => ({ customerId, currency: 'usd' as const, money: null }));

it('two customers of many: their open invoices are read, of nobody else', async () => {
  const asked = [customers[11] ?? '', customers[4] ?? ''];
  const { found, read } = await kit.db.transaction(async (tx) => {
    // while there are hardly any invoices, and Postgres knows it, it rightly reads all of them
    await tx.query('set local enable_seqscan = off');
    const counting = countingReads(tx, ['invoice']);
    return { found: await lockOpenInvoices(counting, ownersOf(asked), 200), read: counting.read };
  });
  expect(found.map(({ remaining }) => remaining)).toEqual(['10.00', '10.00']);
  expect(found.map(({ customerId }) => customerId).toSorted()).toEqual(asked.toSorted());
  expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => id).toSorted());
  // once to find it, once to lock it
  expect(read).toBe(4);
});

it('an invoice whose payment begins while its lock is waited for is left to that payment', async () => {
  const [customerId = ''] = customers;
  const [{ id } = { id: '' }] = await kit.db.query<{ id: string }>(`select id from invoice where customer_id = $1`, [customerId]);
  const asked = await kit.db.transaction(async (tx) => {
    await tx.query('select from invoice where id = $1 for update', [id]);
    const found = kit.db.transaction((other) => lockOpenInvoices(other, ownersOf([customerId]), 200));
    await eventually(async () => expect(await waitingFor(tx, kit.db)).toBe(1));
    await noteProcessing(tx, [id]);
    return { found };
  });
  expect(await asked.found).toEqual([]);
});
