import type { Tx } from '../../db/connect.ts';
import { overdueContracts } from '../../db/contract/overdue.ts';
import { signContract } from '../../db/contract/sign.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

const HOUR = 3_600_000;
const ROLLED_BACK = new Error('nobody else shall see these contracts');

/** Contracts that nobody ever brings up, seen by this transaction alone. */
async function withStuck(count: number, look: (tx: Tx, stuck: Set<string>) => Promise<void>): Promise<void> {
  const wish = await kit.wishOf(await kit.customer(), await kit.plan('10.00'));
  const work = kit.db.transaction(async (tx) => {
    const { contract } = await signContract(tx, wish);
    const rows = await tx.query<{ id: string }>(
      `insert into contract select (jsonb_populate_record(c, jsonb_build_object(
         'id', c.id || '_' || n, 'plan_id', c.plan_id || '_' || n))).*
       from contract c, generate_series(1, $2::int) n where c.id = $1 returning id`,
      [contract.id, count],
    );
    const ids = rows.map(({ id }) => id);
    await tx.query(
      `insert into agenda (vendor_id, customer_id, contract_id, kind, subject, due_at, detail)
       select vendor_id, customer_id, id, 'boundary', id, now() - interval '1 hour', '{}' from contract where id = any($1::text[])`,
      [ids],
    );
    await look(tx, new Set(ids));
    throw ROLLED_BACK;
  });
  await expect(work).rejects.toBe(ROLLED_BACK);
}

it('of 450 contracts that are stuck for good each is woken once in a round of three turns', async () => {
  await withStuck(450, async (tx, stuck) => {
    const turns: string[][] = [];
    for (let after: string | null = null; turns.length === 0 || (after !== null && turns.length < 10); ) {
      const { ids, last } = await overdueContracts(tx, Date.now(), after);
      turns.push(ids);
      after = last;
    }
    expect(turns.map(({ length }) => length).slice(0, 2)).toEqual([200, 200]);
    expect(turns.flat().filter((id) => stuck.has(id))).toHaveLength(450);
    expect(new Set(turns.flat()).size).toBe(turns.flat().length);
    const { ids } = await overdueContracts(tx, Date.now() - 2 * HOUR, null);
    expect(ids.filter((id) => stuck.has(id))).toEqual([]);
  });
});
