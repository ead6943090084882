import { HOUR } from '../../billing/calendar/instant.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';
import { activitiesFor, endRuntime } from '../workflows/own-worker.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(async () => {
  await kit.close();
  await endRuntime();
});

it("a timer that rings 700 ms early by Postgres's clock is waited out: nothing happens before its instant, and it happens then", async () => {
  const dueAt = (await nowOf(kit.db, null)) + 4_000;
  const plan = await kit.plan('1.00', { cycle: 'hour' });
  const contractId = await kit.signWithoutMessages(await kit.customer(), plan, { activation: dueAt - HOUR });
  const { db } = kit;
  while ((await nowOf(db, null)) < dueAt - 700) expect((await kit.state(contractId)).idx).toBe(1);

  const { rollOverCycle } = await activitiesFor(kit, await servers());
  const advanced = rollOverCycle({ chainId: contractId, dueAt, seen: null, signals: 0, wasLeft: false });
  for (;;) {
    const { idx } = await kit.state(contractId);
    const after = await nowOf(db, null);
    if (idx === 2) {
      expect(after).toBeGreaterThanOrEqual(dueAt);
      break;
    }
  }
  expect(await advanced).toMatchObject({ contracts: [{ periodIdx: 2 }] });
  expect((await kit.invoices(contractId)).map(({ date }) => date)).toEqual([dueAt - HOUR, dueAt]);
});

it('so is one of a customer: a freeze ends in the wake-up of its instant, and not in one of many before it', async () => {
  const { db, vendorId } = kit;
  const resumeAt = (await nowOf(db, null)) + 3_000;
  const customerId = await kit.customer();
  await kit.withoutMessages((tx) => freezeCustomer(tx, vendorId, customerId, { notes: null, resumeAt }));
  const isFrozen = async () => (await db.query("select from customer where id = $1 and status = 'inactive'", [customerId])).length === 1;
  while ((await nowOf(db, null)) < resumeAt - 700) expect(await isFrozen()).toBe(true);

  const { endFreeze } = await activitiesFor(kit, await servers());
  await endFreeze({ customerId, dueAt: resumeAt });
  expect(await nowOf(db, null)).toBeGreaterThanOrEqual(resumeAt);
  expect(await isFrozen()).toBe(false);
});
