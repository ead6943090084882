import { Webhook } from 'standardwebhooks';
import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { settledLog } from '../support/settled-log.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { delivered, type Received, Receiver, sequencesOf } from './receiver.ts';

let vendor: TestVendor;
let receiver: Receiver;
beforeEach(async () => {
  vendor = await newVendor();
  receiver = await new Receiver().start();
});
afterEach(() => receiver.kill());

const made = (body: object = {}) =>
  vendor.api.made<{ id: string; secret: string }>('/v1/c/webhook_endpoint', { url: receiver.url, ...body });
const post = (id: string, act: string, body?: object) => vendor.api.post(`/v1/c/webhook_endpoint/${id}/${act}`, body);
const read = (id: string) => vendor.api.read(`/v1/c/webhook_endpoint/${id}`);
const customer = (name = 'Ada') => vendor.api.made<string>('/v1/c/customer', { name });
const rename = (id: string, name: string) => vendor.api.made('/v1/c/customer', { id, name });
const triesOf = async (id: string, query = ''): Promise<AnyJson[]> =>
  (await vendor.api.read(`/v1/c/webhook_endpoint/${id}/delivery?limit=100${query}`)).hits;
const of = (object: string): Received[] => receiver.taken.filter(({ body }) => body.object === object);
const eventsOf = async (object: string): Promise<AnyJson[]> => (await vendor.api.read(`/v1/c/event?object=${object}`)).hits;

/** Refuses what is about this object. */
const refusing = (object: () => string) => (received: Received) => (received.body.object === object() ? 500 : 200);

describe('an object whose event is refused', () => {
  it('waits with its later events, while other objects go on; skipped, it goes on behind the event', async () => {
    let refused = '';
    receiver.behave = refusing(() => refused);
    const { id } = await made();
    const before = await customer('Eve');
    await delivered(() => expect(of(before)).toHaveLength(1));
    const [ada, bob] = [await customer('Ada'), await customer('Bob')];
    await delivered(() => expect([of(ada), of(bob)].map(({ length }) => length)).toEqual([1, 1]));
    refused = ada;
    await rename(ada, 'Ada Lovelace');
    await rename(ada, 'Countess Lovelace');
    await rename(bob, 'Robert');
    await delivered(() => expect(of(bob)).toHaveLength(2));
    const [, second, third] = await eventsOf(ada);
    await delivered(async () => expect((await triesOf(id, `&event=${second.id}`)).length).toBeGreaterThan(1));
    const tries = await triesOf(id, `&event=${second.id}&status=failed`);
    expect(tries.map(({ attempt, status_code }) => [attempt, status_code])).toEqual(tries.map((_, n) => [n + 1, 500]));
    expect(receiver.received.filter(({ body }) => body.id === third.id)).toEqual([]);
    const refusals = receiver.received.filter(({ body }) => body.id === second.id);
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1);
    await delivered(async () => expect((await read(id)).cursor).toBe((await eventsOf(bob))[0].id));
    expect(await post(id, 'skip', { event: second.id })).toMatchObject({ status: 200 });
    refused = '';
    await delivered(() => expect(of(ada).map(({ body }) => body.sequence)).toEqual([1, 3]));
    await delivered(async () => expect((await read(id)).cursor).toBe((await eventsOf(bob))[1].id));
    expect((await triesOf(id, '&status=skipped')).map(({ event }) => event)).toEqual([second.id]);
    expect(await post(id, 'skip', { event: third.id })).toMatchObject({ status: 409, body: { code: 'event_not_awaited' } });
  });

  it('pauses the endpoint when the schedule ends; opened again, it gets everything in order from its cursor', async () => {
    let isDown = true;
    receiver.behave = () => (isDown ? 503 : 200);
    const watcher = await new Receiver().start();
    await vendor.api.made('/v1/c/webhook_endpoint', { url: watcher.url, types: ['v1.webhook_endpoint.paused'] });
    const { id } = await made({ types: ['v1.customer.created', 'v1.customer.updated'] });
    const ada = await customer();
    await rename(ada, 'Ada Lovelace');
    await eventually(async () => expect(await read(id)).toMatchObject({ status: 'paused', cursor: null }));
    const [first, second] = await eventsOf(ada);
    expect((await read(id)).paused_reason).toContain(`${first.id} was not taken in`);
    expect((await read(id)).paused_reason).toContain('the endpoint answered 503');
    await delivered(() => expect(watcher.taken).toMatchObject([{ body: { object: id, data: { object: { status: 'paused' } } } }]));
    await watcher.kill();
    const whilePaused = receiver.received.length;
    await rename(ada, 'Countess Lovelace');
    const [, , third] = await eventsOf(ada);
    isDown = false;
    expect(receiver.received).toHaveLength(whilePaused);
    expect(await post(id, 'open')).toMatchObject({ status: 200, body: { status: 'active', paused_reason: null } });
    await delivered(() => expect(of(ada).map(({ body }) => body.id)).toEqual([first.id, second.id, third.id]));
  });
});

describe('an endpoint', () => {
  it('gets nothing while it is paused; opened, what happened meanwhile; deleted, nothing', async () => {
    const { id } = await made({ types: ['v1.customer.created', 'v1.customer.updated'] });
    expect(await post(id, 'pause')).toMatchObject({ status: 200, body: { status: 'paused', paused_reason: 'paused on request' } });
    const ada = await customer();
    const other = await made();
    await rename(ada, 'Ada Lovelace');
    await delivered(() => expect(of(ada)).toHaveLength(1));
    expect(of(ada)[0]?.body).toMatchObject({ sequence: 2 });
    await post(other.id, 'delete');
    await post(id, 'open');
    await delivered(() => expect(of(ada).map(({ body }) => body.sequence)).toEqual([2, 1, 2]));
    expect(of(ada)[0]?.text).toBe(of(ada)[2]?.text);
    await vendor.api.made('/v1/c/webhook_endpoint', { id, types: null });
    expect((await read(id)).types).toEqual([]);
    expect(await post(id, 'delete')).toMatchObject({ status: 200, body: { id } });
    for (const act of ['pause', 'open', 'rotate_secret', 'delete']) expect((await post(id, act)).status).toBe(404);
    expect((await vendor.api.get(`/v1/c/webhook_endpoint/${id}`)).status).toBe(404);
    expect((await vendor.api.read('/v1/c/webhook_endpoint')).hits).toEqual([]);
    await customer('after');
    const watching = await made();
    await customer('later');
    await delivered(async () => expect((await triesOf(watching.id)).length).toBe(1));
    expect(receiver.received.map(({ body }) => body.data.object?.name)).not.toContain('after');
  });

  it('gets everything behind an event again with the same ids and bodies when it is replayed, and one event when that is resent', async () => {
    const { id } = await made();
    const [ada, bob] = [await customer('Ada'), await customer('Bob')];
    await rename(ada, 'Ada Lovelace');
    await delivered(() => expect(receiver.taken).toHaveLength(3));
    const firstTime = new Map(receiver.taken.map(({ body, text }) => [body.id, text]));
    const [first, last] = await eventsOf(ada);
    expect(await post(id, 'replay', { after: first.id })).toMatchObject({ status: 200 });
    await delivered(() => expect(receiver.taken).toHaveLength(5));
    expect(
      receiver.taken
        .slice(3)
        .map(({ body }) => body.object)
        .sort(),
    ).toEqual([ada, bob].sort());
    await delivered(async () => expect((await read(id)).cursor).toBe(last.id));
    const resent = await vendor.api.post(`/v1/c/event/${first.id}/resend`, { endpoint: id });
    expect(resent).toMatchObject({ status: 200, body: { endpoints: [id] } });
    await delivered(() => expect(receiver.taken).toHaveLength(6));
    expect(receiver.taken[5]?.body.id).toBe(first.id);
    expect(await vendor.api.post(`/v1/c/event/${first.id}/resend`)).toMatchObject({ status: 200, body: { endpoints: [id] } });
    await delivered(() => expect(receiver.taken).toHaveLength(7));
    for (const { body, text } of receiver.taken) expect(text).toBe(firstTime.get(body.id));
  });

  it('gets an event once more when it is resent while an earlier resend is under way', async () => {
    const { id } = await made();
    const [first] = await eventsOf(await customer('Ada'));
    await delivered(async () => expect((await read(id)).cursor).toBe(first.id));
    const resend = () => vendor.api.post(`/v1/c/event/${first.id}/resend`);
    const answers: (() => void)[] = [];
    receiver.behave = (_received, response) => {
      answers.push(() => response.writeHead(200).end());
      return null;
    };
    await resend();
    await delivered(() => expect(answers).toHaveLength(1));
    await resend();
    answers[0]?.();
    await delivered(() => expect(answers).toHaveLength(2));
    answers[1]?.();
    await delivered(async () => expect(await triesOf(id, '&status=delivered')).toHaveLength(3));
  });

  it('is signed for by the new and the former secret after a rotation', async () => {
    const { id, secret: former } = await made();
    const { secret } = await vendor.api.made<{ secret: string }>(`/v1/c/webhook_endpoint/${id}/rotate_secret`);
    expect(secret).not.toBe(former);
    await customer();
    await delivered(() => expect(receiver.taken).toHaveLength(1));
    const [{ text, headers }] = receiver.taken as [Received];
    for (const one of [secret, former]) expect(() => new Webhook(one).verify(text, headers)).not.toThrow();
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  });

  it('is signed for by each former secret for a day, also after two rotations: the second may be for a lost answer', async () => {
    const { id, secret: first } = await made();
    const rotate = async () => (await vendor.api.made<{ secret: string }>(`/v1/c/webhook_endpoint/${id}/rotate_secret`)).secret;
    const secrets = [first, await rotate(), await rotate()];
    await customer();
    await delivered(() => expect(receiver.taken).toHaveLength(1));
    const [{ text, headers }] = receiver.taken as [Received];
    for (const one of secrets) expect(() => new Webhook(one).verify(text, headers)).not.toThrow();
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(3);
  });

  it('is refused with an unknown type, another protocol or a login; its vendor alone sees it and gets its events', async () => {
    const save = (body: object) => vendor.api.post('/v1/c/webhook_endpoint', body);
    for (const [field, body] of [
      ['types[0]', { url: receiver.url, types: ['v1.nothing.known'] }],
      ['url', { url: 'ftp://example.com/' }],
      ['url', { url: 'https://user:password@example.com/' }],
      ['url', { types: [] }],
    ] as const) {
      const refused = await save(body);
      expect([refused.status, Object.keys(refused.body.feedback)]).toEqual([400, [field]]);
    }
    expect(await save({ url: receiver.url })).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
    const { id } = await made();
    const stranger = await newVendor();
    const [mine] = await eventsOf(await customer());
    for (const path of [`webhook_endpoint/${id}`, `webhook_endpoint/${id}/delivery`])
      expect((await stranger.api.get(`/v1/c/${path}`)).status).toBe(404);
    for (const [path, body] of [
      [`webhook_endpoint/${id}/pause`, {}],
      [`webhook_endpoint/${id}/replay`, { after: mine.id }],
      [`webhook_endpoint/${id}/skip`, { event: mine.id }],
      [`event/${mine.id}/resend`, {}],
      ['webhook_endpoint', { id, url: 'http://127.0.0.1:1/' }],
    ] as const)
      expect([path, (await stranger.api.post(`/v1/c/${path}`, body)).status]).toEqual([path, 404]);
    const [theirs] = (await stranger.api.read(`/v1/c/event?object=${await stranger.api.made('/v1/c/customer', { name: 'Mallory' })}`)).hits;
    expect(await post(id, 'skip', { event: theirs.id })).toMatchObject({ status: 404, body: { code: 'event_not_found' } });
    await customer('last');
    // two endpoints, two customers
    await delivered(() => expect(receiver.taken).toHaveLength(4));
    expect([...sequencesOf(receiver.taken).values()]).toEqual([[1], [1]]);
    expect(receiver.received.map(({ body }) => body.data.object.name)).not.toContain('Mallory');
  });

  it('is shown the first 4 KB of a failing answer of 1 MB, and no more is read', async () => {
    let sent = 0;
    receiver.behave = (_received, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const more = () => {
        while (sent < 1_000_000 && !response.destroyed) {
          sent += 10_000;
          if (!response.write('x'.repeat(10_000))) return void response.once('drain', more);
        }
        response.end();
      };
      more();
      return null;
    };
    const { id } = await made();
    await customer();
    await delivered(async () => {
      const [first] = await triesOf(id);
      expect(first).toMatchObject({ status: 'failed', status_code: 500, answer: 'x'.repeat(4_096) });
    });
  });

  it('that does not answer is given up after 10 s, and holds up neither other objects nor other endpoints', async () => {
    let slow = '';
    const hanging: (() => void)[] = [];
    receiver.behave = (received, response) => {
      if (received.body.object !== slow) return 200;
      hanging.push(() => response.destroy());
      return null;
    };
    const other = await new Receiver().start();
    const { id: otherId } = await vendor.api.made<{ id: string }>('/v1/c/webhook_endpoint', { url: other.url });
    const { id } = await made();
    const [ada, bob] = [await customer('Ada'), await customer('Bob')];
    const elsewhere = () => other.taken.filter(({ body }) => [ada, bob].includes(body.object));
    await delivered(() => expect([of(ada).length, of(bob).length, elsewhere().length]).toEqual([1, 1, 2]));
    // what isn't noted yet when an endpoint is paused is sent again
    for (const one of [id, otherId]) await delivered(async () => expect(await triesOf(one)).toHaveLength(2));
    // both are settled before the first is sent: transactions of other tests take nothing from the 10 s
    for (const one of [id, otherId]) await post(one, 'pause');
    slow = ada;
    await rename(ada, 'Ada Lovelace');
    await rename(bob, 'Robert');
    await settledLog();
    for (const one of [id, otherId]) await post(one, 'open');
    await delivered(() => expect(hanging).toHaveLength(1));
    await eventually(() => expect([of(bob).length, elsewhere().length]).toEqual([2, 4]));
    await delivered(async () => expect((await triesOf(id, '&status=failed')).length).toBeGreaterThan(0));
    const [failed] = await triesOf(id, '&status=failed');
    expect(failed).toMatchObject({ status_code: null, error: 'no answer within the time limit' });
    expect(failed.duration_ms).toBeGreaterThanOrEqual(9_900);
    const givenUp = Date.parse(failed.at) + failed.duration_ms;
    for (const taken of [of(bob), elsewhere()]) expect(taken.at(-1)?.at).toBeLessThan(givenUp);
    for (const end of hanging) end();
    await other.kill();
  });
});
