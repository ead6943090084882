import { plan, refused, story } from '../support/story.ts';

describe('a test clock', () => {
  story('sent on again the moment it is ready goes on: forty steps of an hour', async ({ on, acme }) => {
    await on('2025-01-01 00:00', () => acme.signs(plan('pro', '100', { cycle: 'hour' })));
    for (let hour = 1; hour <= 40; hour += 1) await on(`2025-01-0${1 + Math.floor(hour / 24)} ${String(hour % 24).padStart(2, '0')}:00`);
    expect((await acme.invoices()).length).toBe(41);
  });

  story('never runs back and stands still for the same instant', async ({ on, vendor }) => {
    await on('2025-01-02');
    await refused(400, vendor.clock.advanceTo('2025-01-01T00:00:00Z'));
    await vendor.clock.advanceTo('2025-01-02T00:00:00Z');
    expect(await vendor.clock.now()).toBe('2025-01-02T00:00:00.000Z');
  });

  story('takes a year in one step, all twelve charges in order', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100')));
    await on('2026-01-01');
    const dates = (await acme.invoices()).map(({ invoice }) => invoice.date.slice(0, 7));
    expect(dates).toEqual([...Array.from({ length: 12 }, (_, month) => `2025-${String(month + 1).padStart(2, '0')}`), '2026-01']);
  });

  story('moves nobody who is not on it', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100')));
    const beside: string = await vendor.api.made('/v1/c/customer', { name: 'On the wall clock' });
    const contract: string = await vendor.api.made('/v1/c/contract', {
      customer: beside,
      plan: await vendor.planId(plan('pro', '100')),
      currency: 'usd',
      cycle: 'month',
    });
    const before = (await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary.next_cycle_start;
    await on('2031-01-01');
    expect((await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary.next_cycle_start).toBe(before);
    expect((await vendor.api.read(`/v1/c/invoice?customer=${beside}`)).total).toBe(1);
  });
});
