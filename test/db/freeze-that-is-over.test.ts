import { signedContract } from '../api/support.ts';
import { newVendor, type TestVendor, withTestDatabase } from '../support/vendor.ts';

describe('a freeze whose end has come and that nobody has ended yet', () => {
  let vendor: TestVendor;
  let customerId: string;
  beforeEach(async () => {
    vendor = await newVendor();
    ({ customerId } = await signedContract(vendor));
    await vendor.api.post(`/v1/c/customer/${customerId}/inactivate`, { resume_at: '2999-01-01T00:00:00Z' });
    await withTestDatabase((db) =>
      db.query(
        `with frozen as (update customer_pause set began = began - interval '1 hour' where customer_id = $1 returning began + interval '1 minute' as over),
           due as (update agenda set due_at = over from frozen where kind = 'freeze_end' and subject = $1)
         update customer set resume_at = over from frozen where id = $1`,
        [customerId],
      ),
    );
  });

  const read = () => vendor.api.read(`/v1/c/customer/${customerId}`);
  const freezes = () =>
    withTestDatabase((db) =>
      db.query<{ ended: boolean; minutes: number | null }>(
        `select ended is not null as ended, round(extract(epoch from ended - began) / 60)::int as minutes
         from customer_pause where customer_id = $1 order by began`,
        [customerId],
      ),
    );

  it('ends then, and a second freeze comes after it: the customer stays frozen', async () => {
    expect((await vendor.api.post(`/v1/c/customer/${customerId}/inactivate`, {})).status).toBe(200);
    expect(await read()).toMatchObject({ status: 'inactive', resume_at: null });
    expect(await freezes()).toEqual([
      { ended: true, minutes: 1 },
      { ended: false, minutes: null },
    ]);
  });

  it('ends then, and usage that comes after it is taken', async () => {
    const reported = await vendor.api.post('/v1/c/usage', { customer_id: customerId, feature_slug: 'calls', units: '5' });
    expect(reported.status).toBe(200);
    expect(await read()).toMatchObject({ status: 'active', resume_at: null });
    expect(await freezes()).toEqual([{ ended: true, minutes: 1 }]);
  });
});
