import type { Tx } from '../../db/transaction.ts';
import { changeContract } from '../../services/contract/change.ts';
import { resumeContract } from '../../services/contract/resume.ts';
import { signContract } from '../../services/contract/sign.ts';
import { servers } from '../support/servers.ts';
import { changeTo } from '../workflows/inputs.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it('a contract is signed with its first period and invoice in one transaction, before any message is sent to Temporal', async () => {
  const input = kit.signInput(await kit.customer(), await kit.plan('10.00'));
  const contractId = await kit.db.transaction((tx) => signContract(tx, input), { dispatch: 'later' });
  expect(await kit.state(contractId)).toEqual({ status: 'active', idx: 1, parked: null });
  expect((await kit.invoices(contractId)).map(({ total }) => total)).toEqual(['10.00']);
});

it('one whose first step fails is signed all the same, not ready and parked with the reason; resumed it has the one invoice', async () => {
  const input = kit.signInput(await kit.customer(), await kit.plan('10.00'));
  const [counter] = await kit.db.query<{ last: string }>('select last::text from invoice_counter where vendor_id = $1', [kit.vendorId]);
  const last = counter?.last ?? '0';
  await lastNumber('9223372036854775807');
  const contractId = await kit.db.transaction((tx) => signContract(tx, input));
  const parked = expect.stringContaining('SQLSTATE 22003');
  expect(await kit.state(contractId)).toEqual({ status: 'not_ready', idx: null, parked });
  expect(await kit.invoices(contractId)).toEqual([]);
  await lastNumber(last);
  await kit.db.transaction((tx) => resumeContract(tx, kit.call(contractId)));
  expect(await kit.state(contractId)).toEqual({ status: 'active', idx: 1, parked: null });
  expect(await kit.invoices(contractId)).toMatchObject([{ number: String(Number(last) + 1) }]);
});

it('two signings of one vendor overlap: one held open before its commit has no number yet, and the other takes the next', async () => {
  const plan = await kit.plan('10.00');
  const held = await holdOpen((tx) => sign(tx, plan));
  const second = await kit.sign(await kit.customer(), plan);
  const first = await held.end();
  expect(await numberOf(first)).toBe((await numberOf(second)) + 1n);
});

it('an upgrade held open before its commit stops no signing of the vendor: its invoice gets the later number', async () => {
  const [small, big] = [await kit.plan('10.00'), await kit.plan('30.00')];
  const contractId = await kit.sign(await kit.customer(), small);
  const held = await holdOpen((tx) => changeContract(tx, kit.call(contractId), changeTo(big), null));
  const signed = await kit.sign(await kit.customer(), small);
  const changed = await held.end();
  expect(await numberOf(changed)).toBe((await numberOf(signed)) + 1n);
});

/** A transaction that has done its work and waits with its commit until `end`. */
async function holdOpen<T>(work: (tx: Tx) => Promise<T>): Promise<{ end: () => Promise<T> }> {
  const [done, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = kit.db.transaction(async (tx) => {
    const result = await work(tx);
    done.resolve();
    await released.promise;
    return result;
  });
  await Promise.race([done.promise, held]);
  return {
    end: () => {
      released.resolve();
      return held;
    },
  };
}

async function sign(tx: Tx, planId: string): Promise<string> {
  return signContract(tx, kit.signInput(await kit.customer(), planId));
}

async function numberOf(contractId: string): Promise<bigint> {
  const [invoice] = await kit.invoices(contractId);
  return BigInt(invoice?.number ?? -1);
}

/** The last number of the vendor's invoices. After the largest possible one no further invoice can be numbered. */
const lastNumber = (last: string) =>
  kit.db.query(
    `insert into invoice_counter (vendor_id, series, last) values ($1, '', $2)
     on conflict (vendor_id, series) do update set last = excluded.last`,
    [kit.vendorId, last],
  );
