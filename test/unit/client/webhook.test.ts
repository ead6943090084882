import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookEvent } from '../../../client/src/index.ts';

const SECRET = `whsec_${Buffer.from('the secret of one endpoint').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('the secret before it').toString('base64')}`;
const BODY =
  '{"id":"Evt_1","type":"v1.invoice.paid","timestamp":"2026-11-23T10:00:00.000Z","object":"Inv_1","sequence":2,"data":{"id":"Inv_1","object":null}}';

/** Signed by the package that receivers commonly verify with. */
function signed({ body = BODY, secret = SECRET, ageSeconds = 0 } = {}) {
  const at = new Date(Date.now() - ageSeconds * 1000);
  const signature = new Webhook(secret).sign('Evt_1', at, body);
  return { 'webhook-id': 'Evt_1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': signature };
}

/** Doesn't compile where the type of an event leaves open what its object is. */
const objectOf = ({ data }: WebhookEvent): object | null => data.object;

describe('a webhook', () => {
  it('is the event that was signed with the secret, of whatever kind its headers and body are', () => {
    const headers = signed();
    const { 'webhook-id': id, ...rest } = headers;
    for (const given of [headers, new Headers(headers), { ...rest, 'Webhook-Id': [id] }])
      expect(verifyWebhook(BODY, given, SECRET)).toEqual(JSON.parse(BODY));
    expect(verifyWebhook(new TextEncoder().encode(BODY), headers, SECRET).type).toBe('v1.invoice.paid');
  });

  it('has an object of a known shape, whatever its type', () => {
    expect(objectOf(verifyWebhook(BODY, signed(), SECRET))).toBeNull();
  });

  it('may have several signatures, of which one fits', () => {
    const headers = signed();
    const both = { ...headers, 'webhook-signature': `${signed({ secret: OTHER })['webhook-signature']} ${headers['webhook-signature']}` };
    expect(verifyWebhook(BODY, both, SECRET).id).toBe('Evt_1');
  });

  it.each([
    ['another body', `${BODY} `, signed(), SECRET],
    ['another secret', BODY, signed(), OTHER],
    ['another id', BODY, { ...signed(), 'webhook-id': 'Evt_2' }, SECRET],
    ['a delivery of six minutes ago', BODY, signed({ ageSeconds: 360 }), SECRET],
    ['a delivery from six minutes ahead', BODY, signed({ ageSeconds: -360 }), SECRET],
    ['no timestamp', BODY, { ...signed(), 'webhook-timestamp': '' }, SECRET],
    ['a timestamp that is no number', BODY, { ...signed(), 'webhook-timestamp': 'NaN' }, SECRET],
    ['no signature', BODY, { ...signed(), 'webhook-signature': undefined }, SECRET],
    ['an empty signature', BODY, { ...signed(), 'webhook-signature': 'v1,' }, SECRET],
    ['another version', BODY, { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1,', 'v2,') }, SECRET],
  ])('is refused with %s', (_, body, headers, secret) => {
    expect(() => verifyWebhook(body, headers, secret)).toThrow(expect.objectContaining({ code: 'webhook_not_verified' }));
  });

  it('may be as old as the receiver says', () => {
    expect(verifyWebhook(BODY, signed({ ageSeconds: 360 }), SECRET, { toleranceSeconds: 600 }).sequence).toBe(2);
  });

  it('is never checked with an empty secret', () => {
    expect(() => verifyWebhook(BODY, signed(), 'whsec_')).toThrow('The webhook secret is empty.');
  });
});
