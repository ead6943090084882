import { addsMethod } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { metered, plan, planOfFeatures, story } from '../support/story.ts';

describe('the timeline of a contract', () => {
  story(
    'of an hourly plan over two days is read backwards, about ten entries at a time, each of them once',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01 00:00', () => acme.signs(plan('box', '0.25', { cycle: 'hour' })));
      await on('2025-06-03 00:00');
      const path = `/v1/c/contract/${acme.contract.id}/timeline`;
      const whole = await vendor.api.read(path);
      expect(whole.earlier).toBeNull();
      expect(whole.past.length).toBeGreaterThan(100);

      const pages: AnyJson[][] = [];
      for (let before = ''; ; ) {
        const { past, earlier, next } = await vendor.api.read(`${path}?limit=10${before}`);
        expect(next).toEqual(whole.next);
        pages.unshift(past);
        if (earlier === null) break;
        expect(past.length).toBeGreaterThanOrEqual(10);
        expect(past[0].at).toBe(earlier);
        before = `&before=${earlier}`;
      }
      expect(pages.flat()).toEqual(whole.past);
      // an instant is never divided, and it has some entries only
      expect(Math.max(...pages.map(({ length }) => length))).toBeLessThan(20);

      // all that has happened at the first instant is one page, and nothing came before it
      const first = whole.past.filter(({ at }: AnyJson) => at === whole.past[0].at);
      expect(first.length).toBeGreaterThan(1);
      expect(await vendor.api.read(`${path}?limit=1&before=2025-06-01T00:00:00.001Z`)).toMatchObject({ past: first, earlier: null });
      expect(await vendor.api.read(`${path}?before=2025-06-01T00:00:00Z`)).toMatchObject({ past: [], earlier: null });

      const day = await vendor.api.read(`${path}?before=2025-06-02T00:00:00Z`);
      expect(day.past).toEqual(whole.past.filter(({ at }: AnyJson) => at < '2025-06-02'));
      expect(await vendor.api.get(`${path}?limit=1001`)).toMatchObject({
        status: 400,
        body: { feedback: { limit: { value: 'must be between 1 and 1000' } } },
      });
      expect(await vendor.api.get(`${path}?before=yesterday`)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    },
  );

  story(
    'shows the freezes of its customer in its own life, not those in the life of the contract before it',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(plan('basic', '10')));
      await on('2025-06-05', () => acme.freezes());
      await on('2025-06-08', () => acme.unfreezes());
      const before = acme.contract.id;
      await on('2025-06-10', () => acme.contract.changesTo(plan('pro', '30')));
      const after = acme.contract.id;
      await on('2025-06-20', () => acme.freezes());
      await on('2025-06-25', () => acme.unfreezes());
      await on('2025-06-28', () => acme.contract.cancels('now'));
      await on('2025-06-29', () => acme.freezes());

      const freezesOf = async (contract: string, query = ''): Promise<AnyJson> => {
        const { past } = await vendor.api.read(`/v1/c/contract/${contract}/timeline${query}`);
        const freezes = past.filter(({ what }: AnyJson) => /^v1[.]customer[.]/.test(what));
        return freezes.map(({ at, what, object, actor }: AnyJson) => [at, what, object, actor.type]);
      };
      const customer = await acme.id();
      const entry = (date: string, what: string) => [`2025-${date}T00:00:00.000Z`, what, customer, 'key'];
      expect(await freezesOf(before)).toEqual([entry('06-05', 'v1.customer.frozen'), entry('06-08', 'v1.customer.activated')]);
      const own = [entry('06-20', 'v1.customer.frozen'), entry('06-25', 'v1.customer.activated')];
      expect(await freezesOf(after)).toEqual(own);
      expect(await freezesOf(after, '?before=2025-06-25T00:00:00Z')).toEqual(own.slice(0, 1));
    },
  );

  story('says what comes next in the order in which it happens: usage is closed before the contract ends', async ({ on, acme }) => {
    await on('2025-06-01', async () => {
      await acme.signs(planOfFeatures('calls', { calls: { price: metered('1') } }));
      await acme.contract.cancels('2025-08-01');
    });
    await on('2025-07-05');
    expect(await acme.contract.next()).toEqual(['2025-08-01 usage_closing', '2025-08-01 cancellation']);
  });

  story('says so of payments: the next cycle begins, then the last retry is made, then dunning ends', async ({ on, acme, vendor }) => {
    await vendor.api.made('/v1/c/preferences/payment', { retry_days: [3, 31] });
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(plan('basic', '10'), { on_dunning_end: 'cancel' });
    });
    await on('2025-01-05');
    const last = ['boundary', 'payment_retry', 'dunning_end'].map((what) => `2025-02-01 ${what}`);
    expect(await acme.contract.next()).toEqual(last);
  });
});
