import { VendorInConsole } from '../support/console-visitor.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { delivered, Receiver } from '../webhooks/receiver.ts';

describe('webhooks in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let csrf: string;
  let receiver: Receiver;

  beforeEach(async () => {
    vendor = await newVendor('Hooks');
    visitor = await VendorInConsole.signIn(vendor.apiKey);
    csrf = await visitor.csrf();
    receiver = await new Receiver().start();
  });
  afterEach(() => receiver.kill());

  const shownOn = async (path: string): Promise<string> => /name="shown" value="([^"]+)"/.exec((await visitor.page(path)).html)?.[1] ?? '';
  const add = async (fields: Record<string, string>) =>
    visitor.post('/console/webhooks/new', { csrf, shown: await shownOn('/console/webhooks/new'), ...fields });
  const endpoint = async (): Promise<string> => (await vendor.api.made<{ id: string }>('/v1/c/webhook_endpoint', { url: receiver.url })).id;
  const read = (id: string) => vendor.api.read(`/v1/c/webhook_endpoint/${id}`);
  const customer = (name: string): Promise<string> => vendor.api.made('/v1/c/customer', { name });
  const firstEvent = async (object: string): Promise<string> => (await vendor.api.read(`/v1/c/event?object=${object}`)).hits[0].id;
  const act = (path: string, fields: Record<string, string> = {}, by = visitor) => by.post(`/console${path}`, { csrf, ...fields });

  it('adds an endpoint by the checks of the API, and shows its secret once', async () => {
    const wrong = await add({ url: 'ftp://example.com', description: 'to <Ada>' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Give a public address with http or https')]);
    expect(wrong.html).toContain('value="to &lt;Ada&gt;"');
    expect(wrong.html).toContain('href="#field-url"');
    expect((await vendor.api.read('/v1/c/webhook_endpoint')).hits).toEqual([]);
    const made = await add({ url: 'https://example.com/hook', description: 'to Ada', types: 'v1.invoice.paid' });
    const [{ id, ...stored }] = (await vendor.api.read('/v1/c/webhook_endpoint')).hits;
    const address = `/console/webhook/${id}/secret`;
    expect([made.status, made.location]).toEqual([303, address]);
    expect(JSON.stringify([made.html, [...made.headers], [...visitor.cookies]])).not.toContain('whsec_');
    expect(await visitor.text(`/console/webhook/${id}`)).toContain('The endpoint was added.');
    expect(await visitor.text(address)).toMatch(/It is shown only now.* whsec_[\w+/=]{20}/);
    const reloaded = await visitor.page(address);
    expect([reloaded.text, reloaded.html]).toEqual([
      expect.stringContaining('can’t be shown again'),
      expect.not.stringContaining('whsec_'),
    ]);
    expect((await vendor.api.read('/v1/c/webhook_endpoint')).hits).toHaveLength(1);
    expect(stored).toMatchObject({ url: 'https://example.com/hook', description: 'to Ada', types: ['v1.invoice.paid'] });
    const page = await visitor.page(`/console/webhook/${id}`);
    expect(page.text).toContain('v1.invoice.paid');
    expect(page.html).not.toContain('whsec_');
    const audit = JSON.stringify((await vendor.api.read(`/v1/c/audit?object=${id}`)).hits);
    expect(audit).toContain('console.webhooks.new');
    expect(audit).not.toContain('whsec_');
  });

  it('changes what was said of an endpoint, and replaces its secret', async () => {
    const id = await endpoint();
    const form = await visitor.page(`/console/webhook/${id}/change`);
    expect(form.html).toContain(`value="${receiver.url}"`);
    const changed = await act(`/webhook/${id}/change`, { url: receiver.url, description: 'new', types: 'v1.customer.created' });
    expect([changed.status, changed.location]).toEqual([303, `/console/webhook/${id}`]);
    expect(await read(id)).toMatchObject({ description: 'new', types: ['v1.customer.created'] });
    expect((await act(`/webhook/${id}/change`, { url: 'nowhere' })).status).toBe(422);
    const rotated = await act(`/webhook/${id}/rotate`, { shown: await shownOn(`/console/webhook/${id}/rotate`) });
    expect([rotated.status, rotated.location]).toEqual([303, `/console/webhook/${id}/secret`]);
    const elsewhere = await VendorInConsole.signIn(vendor.apiKey);
    const taken = new Map([...visitor.cookies, ['perennial_console', elsewhere.session]]);
    const stranger = new VendorInConsole(visitor.origin, taken);
    expect((await stranger.page(`/console/webhook/${id}/secret`)).html).not.toContain('whsec_');
    expect(await visitor.text(`/console/webhook/${id}/secret`)).toMatch(/The former one signs too for 24 hours\. .* whsec_/);
    const broken = new VendorInConsole(visitor.origin, new Map([...visitor.cookies, ['perennial_console_once', 'x']]));
    expect((await broken.page(`/console/webhook/${id}/secret`)).html).not.toContain('whsec_');
    expect((await vendor.api.read(`/v1/c/audit?object=${id}&actor=console`)).hits.map(({ action }: { action: string }) => action)).toEqual([
      'console.webhook.change',
      'console.webhook.rotate',
    ]);
  });

  it('adds one endpoint by two presses of a button, and shows its secret behind both', async () => {
    const fields = { csrf, shown: await shownOn('/console/webhooks/new'), url: receiver.url, description: '' };
    const pressed = await Promise.all([visitor.post('/console/webhooks/new', fields), visitor.post('/console/webhooks/new', fields)]);
    const { hits } = await vendor.api.read('/v1/c/webhook_endpoint');
    const address = `/console/webhook/${hits[0].id}/secret`;
    expect([hits.length, pressed.map(({ status, location }) => [status, location])]).toEqual([
      1,
      [
        [303, address],
        [303, address],
      ],
    ]);
    expect(await visitor.text(address)).toMatch(/The endpoint was added\..* whsec_/);
    const other = await visitor.post('/console/webhooks/new', { ...fields, description: 'another' });
    expect([other.status, other.text]).toEqual([200, expect.stringContaining('Somebody has added an endpoint')]);
    expect(other.html).toContain('value="another"');
    const shown = /name="shown" value="([^"]+)"/.exec(other.html)?.[1] ?? '';
    expect((await visitor.post('/console/webhooks/new', { ...fields, description: 'another', shown })).status).toBe(303);
    expect((await vendor.api.read('/v1/c/webhook_endpoint')).hits).toHaveLength(2);
    const audited = (await vendor.api.read('/v1/c/audit?actor=console')).hits.filter(
      ({ action }: { action: string }) => action === 'console.webhooks.new',
    );
    expect(audited).toHaveLength(2);
  });

  it('replaces a secret once by two presses of a button, and shows the new one behind both', async () => {
    const id = await endpoint();
    const shown = await shownOn(`/console/webhook/${id}/rotate`);
    const pressed = await Promise.all([act(`/webhook/${id}/rotate`, { shown }), act(`/webhook/${id}/rotate`, { shown })]);
    expect(pressed.map(({ status }) => status)).toEqual([303, 303]);
    const secretBehind = async () => /whsec_[\w+/=]+/.exec(await visitor.text(`/console/webhook/${id}/secret`))?.[0];
    const first = await secretBehind();
    await act(`/webhook/${id}/rotate`, { shown });
    expect([first, await secretBehind()]).toEqual([expect.stringMatching(/^whsec_/), first]);
    expect((await vendor.api.read(`/v1/c/audit?object=${id}&actor=console`)).hits).toHaveLength(1);
    const again = await act(`/webhook/${id}/rotate`, { shown: await shownOn(`/console/webhook/${id}/rotate`) });
    expect(again.status).toBe(303);
    expect(await secretBehind()).not.toBe(first);
    const late = await act(`/webhook/${id}/rotate`, { shown });
    expect([late.status, late.text]).toEqual([409, expect.stringContaining('was replaced since')]);
  });

  it('says on the overview which endpoint fails and why, and leads to the answer, the request and the next try', async () => {
    receiver.behave = (_, response) => {
      response.writeHead(500).end('no <place> left');
      return null;
    };
    const id = await endpoint();
    const object = await customer('Ada');
    const event = await firstEvent(object);
    await delivered(async () => expect(await visitor.text('/console')).toMatch(/Webhooks that don’t arrive .* failing it answered 500/));
    expect((await visitor.page('/console')).html).toContain(`href="/console/webhook/${id}"`);
    const page = await visitor.page(`/console/webhook/${id}?status=failed`);
    expect(page.text).toMatch(/Waiting after a failure .* v1\.customer\.created/);
    const link = `/console/webhook/${id}/event/${event}`;
    expect(page.html).toContain(`href="${link}"`);
    const found = await visitor.page(link);
    expect(found.text).toMatch(/The event has not arrived\. It is tried again \d/);
    expect(found.text).toContain('no <place> left');
    expect(found.html).not.toContain('<place>');
    expect(found.text).toContain(`webhook-id: ${event}`);
    expect(found.text).toContain('"name": "Ada"');
    expect(await visitor.text(`/console/webhook/${id}?status=delivered`)).toContain('Deliveries None.');
    receiver.behave = () => 200;
    const sent = await act(`/webhook/${id}/event/${event}/resend`);
    expect([sent.status, sent.location]).toEqual([303, link]);
    await delivered(async () => expect(await visitor.text(link)).toContain('The event has arrived.'));
    expect(await visitor.text('/console')).not.toContain('Webhooks that don’t arrive');
  });

  it('says of an event that waits behind another which one that is, and skips it', async () => {
    const id = await endpoint();
    receiver.behave = () => 500;
    const object = await customer('Ada');
    const first = await firstEvent(object);
    await vendor.api.made('/v1/c/customer', { id: object, name: 'Ada Lovelace' });
    const second = (await vendor.api.read(`/v1/c/event?object=${object}`)).hits[1].id;
    await delivered(async () => expect(await visitor.text(`/console/webhook/${id}/event/${second}`)).toContain(`refused: ${first}`));
    expect((await act(`/webhook/${id}/event/${first}/skip`)).status).toBe(303);
    expect(await visitor.text(`/console/webhook/${id}/event/${first}`)).toContain('The event was skipped');
    const again = await act(`/webhook/${id}/event/${first}/skip`);
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('does not wait for')]);
  });

  it('pauses, opens, replays and deletes, and says what each means before it', async () => {
    const id = await endpoint();
    expect(await visitor.text(`/console/webhook/${id}/pause`)).toContain('Nothing is sent until it is opened.');
    await act(`/webhook/${id}/pause`);
    expect(await read(id)).toMatchObject({ status: 'paused', paused_reason: 'paused on request' });
    const event = await firstEvent(await customer('Eve'));
    await eventually(async () => expect(await visitor.text(`/console/webhook/${id}/event/${event}`)).toContain('the endpoint is paused'));
    expect(await visitor.text('/console')).toMatch(/Webhooks that don’t arrive .* paused paused on request/);
    await act(`/webhook/${id}/open`);
    const arrived = (times: number) => delivered(() => expect(receiver.taken.filter(({ body }) => body.id === event)).toHaveLength(times));
    await arrived(1);
    const before = await firstEvent(await customer('Bob'));
    await delivered(async () => expect((await read(id)).cursor).toBe(before));
    const wrong = await act(`/webhook/${id}/replay`, { after: 'nothing' });
    expect(wrong.text).toContain('Give the id of an event that is still in the log');
    expect(wrong.html).toContain('value="nothing"');
    expect((await act(`/webhook/${id}/replay`, { after: event })).location).toBe(`/console/webhook/${id}`);
    await delivered(() => expect(receiver.taken.filter(({ body }) => body.id === before)).toHaveLength(2));
    expect((await act(`/webhook/${id}/delete`)).location).toBe('/console/webhooks');
    expect(await visitor.text('/console/webhooks')).toContain('None.');
    expect((await visitor.get(`/console/webhook/${id}`)).status).toBe(404);
  });

  it('shows a reader everything but what acts, and another vendor nothing', async () => {
    const id = await endpoint();
    const event = await firstEvent(await customer('Ada'));
    const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const reader = await VendorInConsole.signIn(key);
    for (const path of ['/webhooks', `/webhook/${id}`, `/webhook/${id}/event/${event}`])
      expect([path, (await reader.page(`/console${path}`)).html]).toEqual([
        path,
        expect.not.stringMatching(/Add an endpoint|What you can do/),
      ]);
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    const own = await other.csrf();
    for (const path of [`/webhook/${id}`, `/webhook/${id}/secret`, `/webhook/${id}/event/${event}`])
      expect((await other.get(`/console${path}`)).status).toBe(404);
    for (const name of ['pause', 'open', 'delete', 'rotate', 'replay', 'change', `event/${event}/resend`, `event/${event}/skip`]) {
      const path = `/webhook/${id}/${name}`;
      expect([path, (await other.get(`/console${path}`)).status]).toEqual([path, 404]);
      expect([path, (await act(path, { csrf: own, url: receiver.url }, other)).status]).toEqual([path, 404]);
    }
    expect(await read(id)).toMatchObject({ status: 'active', url: receiver.url });
  });
});
