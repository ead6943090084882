import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.ts';
import type { Started } from '../support/program.ts';
import { type SecondApi, secondApi } from '../support/second-api.ts';
import { settledLog } from '../support/settled-log.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { startVendorCli, vendorCli } from '../support/vendor-cli.ts';
import { delivered, Receiver } from '../webhooks/receiver.ts';

const started: Started[] = [];
const receivers: Receiver[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) {
    one.kill('SIGINT');
    await one.ended;
  }
  for (const one of receivers.splice(0)) await one.kill();
});

async function receiver(...behaviour: ConstructorParameters<typeof Receiver>): Promise<Receiver> {
  const one = await new Receiver(...behaviour).start();
  receivers.push(one);
  return one;
}

/** Starts to listen behind all that was written so far, and waits until it does. */
async function listen(access: TestVendor & { baseUrl?: string }, ...args: string[]): Promise<Started> {
  await settledLog();
  const one = await startVendorCli(access, 'listen', ...args);
  started.push(one);
  await eventually(() => expect(one.said().stderr).toContain('Listening to'));
  return one;
}

const rowsOf = (one: Started) =>
  one
    .said()
    .stdout.split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const customer = ({ api }: TestVendor, name: string): Promise<string> => api.made('/v1/c/customer', { name });

describe('listen', () => {
  it('prints time, type, object and id of what happens from now on, and where to go on after Ctrl-C', async () => {
    const vendor = await newVendor('Listener');
    await customer(vendor, 'Earlier');
    const one = await listen(vendor);
    const id = await customer(vendor, 'Ada');
    await delivered(() => expect(one.said().stdout).toContain(id));
    const [, event] =
      new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\S+Z  v1\\.customer\\.created +${id} +(Evt_\\S+)\n$`).exec(one.said().stdout) ?? [];
    one.kill('SIGINT');
    const { code, stderr } = await one.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`Stopped\\. To go on from here: --after ${event}\n$`));
  });

  it('begins behind --after and shows --types alone, as one line of JSON each', async () => {
    const vendor = await newVendor('Types');
    const [first, second] = [await customer(vendor, 'Ada'), await customer(vendor, 'Bo')];
    await vendor.api.made(`/v1/c/customer/${first}/activate`, {});
    const log = await delivered(async () => {
      const { hits } = await vendor.api.read('/v1/c/event');
      expect(hits.length).toBeGreaterThanOrEqual(3);
      return hits;
    });
    const one = await listen(vendor, '--json', '--after', log[0].id, '--types', 'v1.customer.created, v1.customer.frozen');
    await delivered(() => expect(rowsOf(one)).toEqual([log[1]]));
    expect(log[1].object).toBe(second);
  });

  it('prints the events of many objects in the order of the log', async () => {
    const vendor = await newVendor('Order');
    const ids = [await customer(vendor, 'Ada'), await customer(vendor, 'Bo'), await customer(vendor, 'Cy')];
    for (const id of ids) await vendor.api.made(`/v1/c/customer/${id}/activate`, {});
    const log = await delivered(async () => {
      const { hits } = await vendor.api.read('/v1/c/event');
      expect(hits.length).toBeGreaterThanOrEqual(6);
      return hits;
    });
    const one = await listen(vendor, '--json', '--after', log[0].id);
    await delivered(() => expect(rowsOf(one).length).toBeGreaterThanOrEqual(5));
    expect(rowsOf(one).map(({ id }) => id)).toEqual(log.slice(1).map(({ id }: { id: string }) => id));
  });

  it('forwards each event as a webhook sends it, signed with the secret that it prints', async () => {
    const vendor = await newVendor('Forward');
    const hook = await receiver();
    const one = await listen(vendor, '--forward-to', hook.url.replace('http://', ''));
    const id = await customer(vendor, 'Ada');
    await vendor.api.made(`/v1/c/customer/${id}/activate`, {});
    await delivered(() => expect(hook.received.length).toBeGreaterThanOrEqual(2));
    const [secret = ''] = /^whsec_\S+$/m.exec(one.said().stderr) ?? [];
    for (const { text, headers } of hook.received) new Webhook(secret).verify(text, headers);
    const [first, second] = hook.received;
    expect([first?.body.sequence, second?.body.sequence]).toEqual([1, 2]);
    expect(first?.headers['webhook-id']).toBe(first?.body.id);
    expect(second?.body).toMatchObject({ object: id, data: { id, object: await vendor.api.read(`/v1/c/customer/${id}`) } });
    expect(Object.keys(first?.body)).toEqual(['id', 'type', 'timestamp', 'object', 'sequence', 'data']);
    await eventually(() => expect(one.said().stdout).toMatch(new RegExp(`${first?.body.id}  → 200 in \\d+ ms\n`)));
  });

  it('tries an event three times more, tells of it, and then goes on; other objects do not wait', async () => {
    const hook = await receiver();
    const vendor = await newVendor('Failing');
    const failing = await listen(vendor, '--json', '--forward-to', hook.url);
    const slow = await customer(vendor, 'Slow');
    hook.behave = ({ body }) => (body.object === slow && body.sequence === 1 ? 500 : 200);
    const quick = await customer(vendor, 'Quick');
    await vendor.api.made(`/v1/c/customer/${slow}/activate`, {});
    await delivered(() => expect(rowsOf(failing).filter(({ object }) => object === slow).length).toBeGreaterThanOrEqual(2));
    const rows = rowsOf(failing);
    const at = (object: string, sequence: number) => rows.findIndex((row) => row.object === object && row.sequence === sequence);
    expect(rows[at(slow, 1)].forwarded).toMatchObject({ status: 500, tries: 4 });
    expect(rows[at(slow, 2)].forwarded).toMatchObject({ status: 200, tries: 1 });
    expect(rows[at(quick, 1)].forwarded).toMatchObject({ status: 200, tries: 1 });
    expect(at(slow, 1)).toBeLessThan(at(slow, 2));
    expect(failing.said().stderr).toMatch(/v1\.customer\.created Evt_\S+: http\S+ answered 500; again in 1 s\n/);
  });

  it('loses no event and repeats none while the API is stopped and started again', async () => {
    const vendor = await newVendor('Restart');
    let own: SecondApi = await secondApi();
    try {
      const { port } = new URL(own.baseUrl);
      const one = await listen({ ...vendor, baseUrl: own.baseUrl }, '--json');
      const made = [await customer(vendor, 'before')];
      await delivered(() => expect(rowsOf(one).length).toBe(1));
      await own.stop();
      await eventually(() => expect(one.said().stderr).toContain('Trying again until it answers.'));
      made.push(await customer(vendor, 'while away 1'), await customer(vendor, 'while away 2'));
      own = await secondApi({}, { PORT: port });
      made.push(await customer(vendor, 'after'));
      await delivered(() => expect(rowsOf(one).length).toBeGreaterThanOrEqual(4));
      expect(rowsOf(one).map(({ object }) => object)).toEqual(made);
      expect(one.said().stderr).toContain('The server answers again.');
    } finally {
      await own.stop();
    }
  });

  it('refuses a wrong key, an event of nobody and a missing server in a line', async () => {
    const vendor = await newVendor('Refusals');
    expect(await vendorCli({ apiKey: 'api_key_wrong' }, 'listen')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^GET \/v1\/c\/event answered 401 unauthorized: /),
    });
    const unknown = await vendorCli(vendor, 'listen', '--after', 'Evt_01a1feba-44ea-7633-8c1d-98c2782e5818');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/^GET \/v1\/c\/event answered 404 event_not_found: /)]);
  });
});
