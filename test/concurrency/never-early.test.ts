import { advanceContract } from '../../activities/contract/advance.ts';
import type { Dependencies } from '../../activities/dependencies.ts';
import { nowOf } from '../../db/clock/now.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

const HOUR = 3_600_000;

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

it("a timer that rings 700 ms early by Postgres's clock is waited out: nothing happens before its instant, and it happens then", async () => {
  const dueAt = (await nowOf(kit.db, null)) + 3_000;
  const contractId = await kit.sign(await kit.customer(), await kit.plan('1.00', { cycle: 'hour' }), { activation: dueAt - HOUR });
  await kit.ready(contractId);
  const { db } = kit;
  while ((await nowOf(db, null)) < dueAt - 700) expect((await kit.state(contractId)).idx).toBe(1);

  const dependencies = { db, deliver: async () => {}, carrier: null } as Partial<Dependencies> as Dependencies;
  const turn = advanceContract(dependencies)({ contractId, dueAt });
  for (;;) {
    const { idx } = await kit.state(contractId);
    const after = await nowOf(db, null);
    if (idx === 2) {
      expect(after).toBeGreaterThanOrEqual(dueAt);
      break;
    }
  }
  expect(await turn).toMatchObject({ periodIdx: 2 });
  expect((await kit.invoices(contractId)).map(({ date }) => date)).toEqual([dueAt - HOUR, dueAt]);
});
