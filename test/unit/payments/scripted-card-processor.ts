import type { Received, Reply } from './scripted-server.ts';

interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  currency: string;
  customer: string;
  status: string;
  metadata: Record<string, string>;
  last_payment_error: { code: string; decline_code?: string } | null;
}

/** How charges of a card end, by the id of its payment method. */
const DECLINES: Record<string, string> = { pm_declined: 'insufficient_funds', pm_expired: 'expired_card' };

/** A card processor with a memory: the same idempotency key gives the same intent, what was taken stays taken. */
export class ScriptedCardProcessor {
  readonly intents: Intent[] = [];
  readonly refunds: Record<string, string>[] = [];
  readonly #byKey = new Map<string, Intent>();
  /**
   * breaks the connection of so many charges after they were made; the processor's library tries a broken one again by
   * itself
   */
  cuts = 0;

  reply = ({ method, path, headers, body }: Received): Reply => {
    const form = Object.fromEntries(new URLSearchParams(body));
    const [route = ''] = path.split('?');
    if (headers.authorization !== 'Bearer sk_test') return refuse(401, 'authentication_error', 'bad key');
    if (route === '/v1/customers') return ok({ id: 'cus_1', object: 'customer' });
    if (route === '/v1/setup_intents')
      return ok({ id: 'seti_1', object: 'setup_intent', client_secret: 'seti_1_secret', status: 'requires_action' });
    if (route === '/v1/setup_intents/seti_1') return ok(finishedSetup);
    if (route === '/v1/payment_intents' && method === 'POST') return this.#charge(form, String(headers['idempotency-key']));
    if (route === '/v1/payment_intents') return ok({ object: 'list', has_more: false, url: route, data: this.intents });
    if (route === '/v1/refunds') return this.#refund(form);
    const intent = this.intents.find(({ id }) => route === `/v1/payment_intents/${id}`);
    if (intent !== undefined) return ok(intent);
    if (/^\/v1\/payment_methods\/\w+\/detach$/.test(route)) return ok({ id: 'pm_ok', object: 'payment_method' });
    return refuse(404, 'invalid_request_error', `no such path ${route}`, 'resource_missing');
  };

  #charge(form: Record<string, string>, key: string): Reply {
    const intent = this.#byKey.get(key) ?? this.#make(form);
    this.#byKey.set(key, intent);
    if (this.cuts > 0) {
      this.cuts -= 1;
      return 'cut';
    }
    const error = intent.last_payment_error;
    if (error === null) return ok(intent);
    return { status: 402, body: { error: { type: 'card_error', message: 'declined', ...error, payment_intent: intent } } };
  }

  #make(form: Record<string, string>): Intent {
    const decline = DECLINES[form.payment_method ?? ''];
    const intent: Intent = {
      id: `pi_${this.intents.length + 1}`,
      object: 'payment_intent',
      amount: Number(form.amount),
      currency: form.currency ?? '',
      customer: form.customer ?? '',
      status: decline === undefined ? (form.payment_method === 'pm_sepa' ? 'processing' : 'succeeded') : 'requires_payment_method',
      metadata: { attempt: form['metadata[attempt]'] ?? '' },
      last_payment_error:
        decline === undefined ? null : { code: decline === 'expired_card' ? decline : 'card_declined', decline_code: decline },
    };
    this.intents.push(intent);
    return intent;
  }

  #refund(form: Record<string, string>): Reply {
    this.refunds.push(form);
    return ok({ id: `re_${this.refunds.length}`, object: 'refund', status: 'succeeded' });
  }
}

const ok = (body: unknown): Reply => ({ status: 200, body });
const refuse = (status: number, type: string, message: string, code?: string): Reply => ({
  status,
  body: { error: { type, message, code } },
});

const finishedSetup = {
  id: 'seti_1',
  object: 'setup_intent',
  status: 'succeeded',
  customer: 'cus_1',
  payment_method: {
    id: 'pm_ok',
    object: 'payment_method',
    type: 'card',
    card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2030 },
    billing_details: { name: 'Ada Lovelace' },
  },
};
