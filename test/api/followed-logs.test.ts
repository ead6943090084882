import { newId } from '../../db/id.ts';
import { writeAudit } from '../../db/sql/audit/write.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { type AnyJson, type Api, api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { settledLog } from '../support/settled-log.ts';
import type { TestVendor } from '../support/vendor.ts';
import { checkedVendor } from './support.ts';

describe.each(['/v1/c/event', '/v1/c/audit'])('%s, read on and on after its last row', (path) => {
  let vendor: TestVendor;
  /** Reads what is settled and waits for nothing else. */
  let reader: Api;
  let seen: AnyJson[];
  beforeEach(async () => {
    vendor = await checkedVendor();
    reader = api(vendor.apiKey);
    seen = [];
  });

  const customer = () => vendor.api.made('/v1/c/customer', { name: 'Acme' });
  /** What is new since the last row, page by page, as a follower asks for it. */
  const follow = async (limit: number) => {
    for (;;) {
      const after = seen.length === 0 ? '' : `&after=${seen.at(-1)?.id}`;
      const { hits } = await reader.read(`${path}?limit=${limit}${after}`);
      if (hits.length === 0) return;
      seen.push(...hits);
    }
  };

  it('shows each row once, also that of a slow transaction which has a smaller number and commits late', async () => {
    const first = await customer();
    await settledLog();
    await follow(10);
    const slow = newId('Cust');
    const quick: string[] = [];
    await withTestDatabase((db) =>
      db.transaction(async (tx) => {
        const { vendorId } = vendor;
        await publish(tx, [{ vendorId, type: 'v1.customer.created', objectId: slow, at: Date.now(), data: {} }]);
        const caller = { type: 'key', id: vendor.keyId } as const;
        await writeAudit(tx, [{ vendorId, caller, action: 'save_customer', object: slow, asked: null }]);
        for (let n = 0; n < 3; n += 1) {
          quick.push(await customer());
          await follow(10);
        }
        expect(seen.map(({ object }) => object)).toEqual([first]);
        expect((await reader.read(`${path}?limit=0`)).total).toBe(1);
      }),
    );
    await settledLog();
    await follow(2);
    // of the slow transaction both rows: the audit log shows its event too, since the system made it
    const ofSlow = path === '/v1/c/event' ? [slow] : [slow, slow];
    expect(seen.map(({ object }) => object)).toEqual([first, ...ofSlow, ...quick]);
    expect((await reader.read(`${path}?limit=0`)).total).toBe(seen.length);
  });
});
