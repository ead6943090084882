import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor } from '../support/vendor.ts';
import { checkedVendor, feedback, flatPrice, planBody } from './support.ts';

const UNKNOWN = 'Evt_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';

describe('the log of events', () => {
  let api: Api;
  beforeAll(async () => {
    api = (await checkedVendor()).api;
  });

  const plan = (slug: string, amount: string) =>
    api.made(
      '/v1/c/plan',
      planBody(slug, amount, { features: [], pricings: [{ currency: 'usd', cycle: 'month', price: flatPrice(amount) }] }),
    );
  /** The events of an object; the log shows them only when older transactions have ended. */
  const eventsOf = async (object: string, count: number) => {
    const hits = await eventually(async () => {
      const page = await api.read(`/v1/c/event?object=${object}`);
      expect(page.hits).toHaveLength(count);
      return page.hits;
    });
    return hits.map(({ type, data: { object: _object, ...data } }: AnyJson) => ({ type, data }));
  };

  it.each(['event', 'audit'])('%s is searched by the id of an object, and a text that is none is refused', async (log) => {
    for (const object of ['', 'foo', 'Cust_x']) {
      const refused = await api.get(`/v1/c/${log}?object=${object}`);
      expect(refused).toMatchObject({ status: 400, body: { feedback: { object: { value: expect.stringContaining('must be an id') } } } });
    }
  });

  it('contains data in snake_case with instants as date-times', async () => {
    const [dear, cheap] = [await plan('dear', '30'), await plan('cheap', '10')];
    const clock = await api.made('/v1/c/test_clock', { now: '2025-01-01T00:00:00Z' });
    const customer = await api.made('/v1/c/customer', { name: 'Acme', test_clock: clock });
    const signature = { customer, plan: dear, currency: 'usd', cycle: 'month' };
    const later = await api.made('/v1/c/contract', { ...signature, activation: '2025-02-01T00:00:00Z' });
    expect(await eventsOf(later, 1)).toEqual([
      { type: 'v1.contract.signature.scheduled', data: { id: later, activation: '2025-02-01T00:00:00.000Z' } },
    ]);
    await api.made(`/v1/c/contract/${later}/cancel`, { when: { type: 'now' } });

    const contract = await api.made('/v1/c/contract', signature);
    const successor = await api.made(`/v1/c/contract/${contract}/upgrade`, {
      upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: cheap },
    });
    expect((await eventsOf(contract, 2)).at(-1)).toEqual({
      type: 'v1.contract.change.scheduled',
      data: { id: contract, successor_id: successor, at: '2025-02-01T00:00:00.000Z' },
    });
  });

  it('is refused from before its beginning, where older events are deleted: by id and by cursor', async () => {
    const { api: own, vendorId } = await checkedVendor();
    for (const name of ['A', 'B', 'C']) await own.made('/v1/c/customer', { name });
    const { forward } = await eventually(async () => {
      const page = await own.read('/v1/c/event?limit=1');
      expect(page.total).toBe(3);
      return page;
    });
    await withTestDatabase((db) =>
      db.query(
        'insert into event_log_start (vendor_id, seq, last_id) select $1, seq, id from event where vendor_id = $1 order by seq desc limit 1',
        [vendorId],
      ),
    );
    expect(feedback(await own.get(`/v1/c/event?after=${UNKNOWN}`))).toEqual({
      after: expect.stringMatching(/^the log of events begins with Evt_.*: older ones are deleted, the last of them Evt_/),
    });
    expect(feedback(await own.get(`/v1/c/event?offset=${forward}`))).toEqual({
      offset: expect.stringMatching(/^the log of events begins with Evt_.*: older ones are deleted, the last of them Evt_/),
    });
    expect((await own.get('/v1/c/event')).status).toBe(200);
  });

  it('has fewer events on a page where they are long: 12 of a million characters come five at a time, none left out', async () => {
    const { api: own, vendorId } = await newVendor();
    for (let n = 0; n < 12; n += 1) await own.made('/v1/c/customer', { name: `${n}` });
    const idsOf = ({ hits }: AnyJson): string[] => hits.map(({ id }: AnyJson) => id);
    const all = await eventually(async () => {
      const ids = idsOf(await own.read('/v1/c/event?limit=100'));
      expect(ids).toHaveLength(12);
      return ids;
    });
    const long = `body::jsonb || jsonb_build_object('data', jsonb_build_object('id', object_id, 'words', repeat('x', 999000)))`;
    await withTestDatabase((db) => db.query(`update event_body set body = (${long})::text where vendor_id = $1`, [vendorId]));
    const pages: string[][] = [];
    for (let offset: string | null = ''; offset !== null; ) {
      const page: AnyJson = await own.read(`/v1/c/event?limit=100${offset === '' ? '' : `&offset=${offset}`}`);
      pages.push(idsOf(page));
      offset = page.forward;
    }
    expect([pages.map(({ length }) => length), pages.flat()]).toEqual([[5, 5, 2], all]);
    expect(idsOf(await own.read('/v1/c/event?limit=100&direction=backward'))).toEqual(all.slice(-5));
  });

  it('shows the object as it was when the event was first read, and the same from then on', async () => {
    const id = await api.made('/v1/c/customer', { name: 'Before' });
    const shown = () =>
      eventually(async () => {
        const [made] = (await api.read(`/v1/c/event?object=${id}&type=v1.customer.created`)).hits;
        expect(made).toMatchObject({ object: id, sequence: 1 });
        return made;
      });
    const first = await shown();
    expect(first.data.object).toEqual(await api.read(`/v1/c/customer/${id}`));
    await api.made('/v1/c/customer', { id, name: 'After' });
    expect(await shown()).toEqual(first);
    expect(first.data.object.name).toBe('Before');
  });

  it('leaves out an object of more than a million characters, which a GET shows: 100 labels of 10,000 characters', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`label ${n}`, 'x'.repeat(10_000)]));
    const large: string = await api.made('/v1/c/customer', { name: 'Large', metadata });
    expect((await api.read(`/v1/c/customer/${large}`)).metadata).toEqual(metadata);
    const { hits } = await api.read(`/v1/c/event?object=${large}`);
    expect(hits.map(({ data }: AnyJson) => data)).toEqual([expect.objectContaining({ id: large, object: null })]);
  });

  it('continues after one of its events, and refuses an unknown one', async () => {
    const [first, second] = [await api.made('/v1/c/customer', { name: 'A' }), await api.made('/v1/c/customer', { name: 'B' })];
    const hits = await eventually(async () => {
      const made = (await api.read(`/v1/c/event?object=${first}`)).hits;
      const next = await api.read(`/v1/c/event?after=${made[0]?.id}&limit=1`);
      expect(next.hits).toMatchObject([{ object: second, type: 'v1.customer.created' }]);
      return made;
    });
    expect((await api.get(`/v1/c/event?after=${UNKNOWN}`)).body.code).toBe('event_not_found');
    expect(feedback(await api.get('/v1/c/event?after=x'))).toHaveProperty('after');
    const stranger = (await checkedVendor()).api;
    expect((await stranger.get(`/v1/c/event?after=${hits[0].id}`)).body.code).toBe('event_not_found');
  });
});
