import type { AnyJson } from '../support/api.ts';
import { newVendor } from '../support/vendor.ts';

it('a customer with 103 grants sees the latest 100 and the older one of which something is left; a list has all', async () => {
  const { api } = await newVendor();
  const customer: string = await api.made('/v1/c/customer', { name: 'Ada' });
  const granted = (amount: string): Promise<string> =>
    api.made('/v1/c/credit_grant', { customer, currency: 'usd', amount, kind: 'promotional' });
  const kept = await granted('5');
  const others: string[] = [];
  for (let n = 0; n < 102; n += 1) others.push(await granted('1'));
  for (const id of others) await api.made(`/v1/c/credit_grant/${id}/void`, undefined);
  const { grants, settled } = await api.read<AnyJson>(`/v1/c/customer/${customer}/credit?currency=usd`);
  expect(grants.map(({ id }: AnyJson) => id).sort()).toEqual([kept, ...others.slice(-100)].sort());
  expect(grants[0]).toMatchObject({ id: kept, left: '5.00' });
  expect(settled).toBe('5.00');
  const { hits } = await api.read<AnyJson>(`/v1/c/credit_grant?customer=${customer}&limit=100`);
  expect(hits).toHaveLength(100);
});
