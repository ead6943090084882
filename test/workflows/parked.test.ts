import { at } from '../../billing/calendar/instant.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/** Terms no rule can read, as a bug or a bad restore might leave them; gives back what undoes it. */
async function poison(id: string): Promise<() => Promise<void>> {
  const [row] = await kit.db.query<{ terms: object }>('select terms from contract where id = $1', [id]);
  await kit.db.query(`update contract set terms = jsonb_set(terms, '{price,amount}', '"no number"') where id = $1`, [id]);
  return async () => {
    await kit.db.query('update contract set terms = $2::jsonb where id = $1', [id, JSON.stringify(row?.terms)]);
  };
}

describe('a contract that can not go on', () => {
  it('is parked with its reason while its neighbours roll over, stops the clock, and goes on when its cause is removed and it is resumed', async () => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const plan = await kit.plan('10.00');
    const [sick, well] = [await kit.sign(await kit.customer(clock), plan), await kit.sign(await kit.customer(clock), plan)];
    const restore = await poison(sick);

    const stopped = await kit.advance(clock, '2025-03-01');
    expect(stopped.status).toBe('failed');
    expect(stopped.reason).toContain(sick);
    expect((await kit.state(sick)).parked).not.toBeNull();
    expect((await kit.invoices(well)).map(({ date }) => date)).toEqual([at('2025-01-01'), at('2025-02-01')]);
    await eventually(async () => {
      const { searchAttributes } = await kit.client.workflow.getHandle(sick).describe();
      expect(searchAttributes?.PerennialParked).toEqual([true]);
    });

    await restore();
    await kit.resume(sick);
    expect((await kit.state(sick)).parked).toBeNull();
    expect((await kit.advance(clock, '2025-03-01')).status).toBe('ready');
    for (const id of [sick, well]) {
      expect((await kit.invoices(id)).map(({ date }) => date)).toEqual([at('2025-01-01'), at('2025-02-01'), at('2025-03-01')]);
    }
  });

  it('refuses everything but its resumption meanwhile', async () => {
    const clock = await kit.clock('2025-01-01T00:00:00.000Z');
    const id = await kit.sign(await kit.customer(clock), await kit.plan('10.00'));
    await poison(id);
    await kit.advance(clock, '2025-02-01');
    await expect(kit.cancel(id)).rejects.toMatchObject({ code: 'contract_state' });
  });
});
