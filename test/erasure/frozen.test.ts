import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { plan, story } from '../support/story.ts';

describe('a customer that is erased in a freeze which was to end by itself', () => {
  story('stays inactive when that day comes, and its erasure ends', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '0')));
    await on('2025-01-10', () => acme.cancels('now'));
    const id = await acme.id();
    await on('2025-01-11', async () => {
      await acme.freezes({ resume_at: '2025-01-20T00:00:00.000Z' });
      await vendor.api.made(`/v1/c/customer/${id}/erase`, {});
    });
    await on('2025-01-25');
    await eventually(async () =>
      expect((await vendor.api.made<AnyJson>(`/v1/c/customer/${id}/erase`, {})).ended).toEqual(expect.any(String)),
    );
    expect((await acme.read()).status).toBe('inactive');
    expect(await vendor.api.post(`/v1/c/customer/${id}/activate`, {})).toMatchObject({ status: 409, body: { code: 'customer_erased' } });
  });
});
