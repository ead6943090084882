import { Webhook } from 'standardwebhooks';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { delivered, Receiver } from './receiver.ts';

let vendor: TestVendor;
let receiver: Receiver;
beforeEach(async () => {
  vendor = await newVendor();
  receiver = await new Receiver().start();
});
afterEach(() => receiver.kill());

const open = (body: object = {}) =>
  vendor.api.made<{ id: string; secret: string }>('/v1/c/webhook_endpoint', { url: receiver.url, ...body });
const customer = (name = 'Ada') => vendor.api.made<string>('/v1/c/customer', { name });
const rename = (id: string, name: string) => vendor.api.made('/v1/c/customer', { id, name });
const typesOf = () => receiver.taken.map(({ body }) => body.type);

describe('a webhook endpoint', () => {
  it('gets each event once, signed, with its object as a GET shows it', async () => {
    const { id, secret } = await open();
    const ada = await customer();
    await delivered(() => expect(receiver.taken).toHaveLength(1));
    const [{ headers, text, body }] = receiver.taken as [(typeof receiver.taken)[0]];
    expect(() => new Webhook(secret).verify(text, headers)).not.toThrow();
    const [event] = (await vendor.api.read(`/v1/c/event?object=${ada}`)).hits;
    expect(body).toEqual(event);
    expect(Object.keys(body)).toEqual(['id', 'type', 'timestamp', 'object', 'sequence', 'data']);
    expect(headers['webhook-id']).toBe(event.id);
    expect(body.data).toMatchObject({ id: ada, object: await vendor.api.read(`/v1/c/customer/${ada}`) });
    await delivered(async () => expect((await vendor.api.read(`/v1/c/webhook_endpoint/${id}`)).cursor).toBe(event.id));
    const { hits } = await vendor.api.read(`/v1/c/webhook_endpoint/${id}/delivery`);
    expect(hits).toMatchObject([{ event: event.id, attempt: 1, status: 'delivered', status_code: 200, error: null, answer: null }]);
  });

  it('gets nothing that happened before it was made, and only the types it asks for', async () => {
    await customer('before');
    await open({ types: ['v1.customer.updated'] });
    const ada = await customer();
    await rename(ada, 'Ada Lovelace');
    await delivered(() => expect(typesOf()).toEqual(['v1.customer.updated']));
    expect(receiver.received).toHaveLength(1);
  });
});
