import { at } from '../../billing/calendar/instant.ts';
import { readClockWithNextDue } from '../../db/sql/clock/read-with-next-due.ts';
import { setReady } from '../../db/sql/clock/set-ready.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/**
 * A clock at 1 February that is advancing to 10 February, whose two contracts have not begun their second months; no
 * workflow moves it.
 */
async function amidTheFirst(): Promise<string> {
  const clock = await kit.clock('2025-01-01T00:00:00.000Z');
  const plan = await kit.plan('10.00');
  for (let i = 0; i < 2; i += 1) await kit.sign(await kit.customer(clock), plan);
  await kit.db.query(`update test_clock set status = 'advancing', now = '2025-02-01Z', target = '2025-02-10Z' where id = $1`, [clock]);
  return clock;
}

const nextDueOf = async (clock: string) => (await readClockWithNextDue(kit.db, kit.vendorId, clock))?.nextDue;

describe('a test clock', () => {
  it('on its way says what comes after the instant it is at work on; one that has failed there says that instant', async () => {
    const clock = await amidTheFirst();
    expect(await nextDueOf(clock)).toBeNull();
    await kit.db.query(`update agenda set due_at = '2025-02-03Z' where id = (select min(id) from agenda where test_clock_id = $1)`, [
      clock,
    ]);
    expect(await nextDueOf(clock)).toBe(at('2025-02-03'));
    await kit.db.query(`update test_clock set status = 'failed' where id = $1`, [clock]);
    expect(await nextDueOf(clock)).toBe(at('2025-02-01'));
  });

  it('does not settle while anything is due by its target, however it came to be there, nor before it stands at its target', async () => {
    const clock = await amidTheFirst();
    const settle = () => kit.db.transaction((tx) => setReady(tx, clock));
    const dueOn = (at: string) => kit.db.query(`update agenda set due_at = $2 where test_clock_id = $1`, [clock, at]);
    await dueOn('2025-02-11Z');
    expect(await settle()).toBe(false);
    await kit.db.query(`update test_clock set now = target where id = $1`, [clock]);
    await dueOn('2025-02-10Z');
    expect(await settle()).toBe(false);
    await dueOn('2025-02-11Z');
    expect(await settle()).toBe(true);
    expect(await readClockWithNextDue(kit.db, kit.vendorId, clock)).toMatchObject({ status: 'ready', now: at('2025-02-10') });
  });
});
