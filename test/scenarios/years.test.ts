import { RUNS } from '../support/runs.ts';
import { dayOf, metered, plan, story } from '../support/story.ts';

const usual = RUNS <= 200;
/** Two days in the usual run, a week in the long one. */
const HOURS = usual ? 48 : 168;

describe('a contract that lives long', () => {
  story(
    'ten years from 29 February 2024 at 365.00 a year: 29 February again in 2028 and 2032, 28 February between',
    async ({ on, acme }) => {
      await on('2024-02-29', () => acme.signs(plan('yearly', '365', { cycle: 'year' })));
      await on('2034-02-28');
      const days = [2024, 2025, 2026, 2027, 2028, 2029, 2030, 2031, 2032, 2033, 2034].map(
        (year) => `${year}-02-${year % 4 === 0 ? 29 : 28}`,
      );
      await acme.expectsInvoices(...days.map((day) => `${day} 365.00`));
      await acme.contract.expectsPeriod('2034-02-28', '2035-02-28', 11);
    },
  );

  story('four years of month ends from 31 March 2023: 49 charges, each on the last day of its month', async ({ on, acme }) => {
    await on('2023-03-31', () => acme.signs(plan('monthly', '12.34')));
    await on('2027-03-31');
    // day 0 of a month is the last day of the one before
    const days = Array.from({ length: 49 }, (_, n) => dayOf(new Date(Date.UTC(2023, 3 + n, 0)).toISOString()));
    await acme.expectsInvoices(...days.map((day) => `${day} 12.34`));
  });

  story(
    `${HOURS} hours at 0.05 with six calls at 0.10 in every sixth: ${HOURS + 1} charges, 0.60 of usage every six hours`,
    async ({ on, acme, vendor }) => {
      await on('2025-03-29', () => acme.signs(plan('box', '0.05', { cycle: 'hour', features: { calls: { price: metered('0.10') } } })));
      const start = Date.parse('2025-03-29T00:00:00Z');
      for (let hour = 0; hour < HOURS; hour += 6) {
        await on(dayOf(new Date(start + hour * 3_600_000).toISOString()));
        await acme.uses('calls', '6', dayOf(new Date(start + hour * 3_600_000 + 60_000).toISOString()));
      }
      await on(dayOf(new Date(start + HOURS * 3_600_000).toISOString()));
      const { total } = await vendor.api.read(`/v1/c/invoice?contract=${acme.contract.id}&limit=1`);
      expect(total).toBe(HOURS + 1);
      const periods = await acme.contract.usagePeriods();
      expect(periods.filter(({ status }) => status === 'closed')).toHaveLength(HOURS);
      for (const [n, { start: from, end }] of periods.entries()) {
        expect(dayOf(from)).toBe(dayOf(new Date(start + n * 3_600_000).toISOString()));
        expect(end === null ? null : Date.parse(end) - Date.parse(from)).toBe(3_600_000);
      }
      const billed = periods.flatMap(({ features }) => features.map(({ amount }) => amount)).filter((amount) => amount !== '0.00');
      expect(billed).toEqual(Array.from({ length: HOURS / 6 }, () => '0.60'));
    },
  );
});
