import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signedHeaders } from '../../../services/webhook/sign.ts';

const BODY = '{"id":"Evt_1","text":"ä — 😀"}';

describe('a signature', () => {
  it('is the one that Standard Webhooks defines, for each secret', () => {
    const [one, other] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signedHeaders('Evt_1', Date.now(), BODY, [one, other]);
    for (const secret of [one, other]) expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    const signed = `Evt_1.${headers['webhook-timestamp']}.${BODY}`;
    const expected = [one, other].map((secret) =>
      createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(signed)
        .digest('base64'),
    );
    expect(headers['webhook-signature']).toBe(expected.map((signature) => `v1,${signature}`).join(' '));
  });

  it('holds for this body, this id and this secret alone', () => {
    const secret = newWebhookSecret();
    const headers = signedHeaders('Evt_1', Date.now(), BODY, [secret]);
    expect(() => new Webhook(secret).verify(BODY.replace('ä', 'a'), headers)).toThrow();
    expect(() => new Webhook(secret).verify(BODY, { ...headers, 'webhook-id': 'Evt_2' })).toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow();
  });
});
