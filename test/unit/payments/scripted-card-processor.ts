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
  next_action: { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string } } | null;
}

/** How charges of a card end, by the id of its payment method. */
const DECLINES: Record<string, string> = {
  pm_declined: 'insufficient_funds',
  pm_expired: 'expired_card',
  pm_asks: 'authentication_required',
};
const ENDS: Record<string, string> = {
  pm_sepa: 'processing',
  pm_declined: 'requires_payment_method',
  pm_expired: 'requires_payment_method',
  pm_asks: 'requires_payment_method',
};

/** A card processor with a memory: the same idempotency key gives the same intent, what was taken stays taken. */
export class ScriptedCardProcessor {
  readonly intents: Intent[] = [];
  readonly refunds: Record<string, string>[] = [];
  /** methods that belong to nobody any more */
  readonly detached = new Set<string>();
  readonly #byKey = new Map<string, Intent>();
  readonly #customers = new Map<string, string>();
  /**
   * breaks the connection of a number of charges after they were made; the processor's library retries a broken one on
   * its own
   */
  cuts = 0;
  /** what happens to a charge right before it is canceled */
  onCancel: (intent: Intent) => void = () => undefined;
  /** the page on which the customer sets a method up */
  checkout: { status: string; setup_intent: unknown } = { status: 'open', setup_intent: null };

  reply = ({ method, path, headers, body }: Received): Reply => {
    const form = Object.fromEntries(new URLSearchParams(body));
    const [route = ''] = path.split('?');
    if (headers.authorization !== 'Bearer sk_test') return refuse(401, 'authentication_error', 'bad key');
    if (route === '/v1/customers') return this.#customer(body, String(headers['idempotency-key']));
    if (route === '/v1/setup_intents')
      return ok({ id: 'seti_1', object: 'setup_intent', client_secret: 'seti_1_secret', status: 'requires_action' });
    if (route === '/v1/setup_intents/seti_1') return ok(finishedSetup);
    if (route === '/v1/checkout/sessions') return ok({ ...page, ...this.checkout, url: 'https://pay.example/c/cs_1' });
    if (route === '/v1/checkout/sessions/cs_1') return ok({ ...page, ...this.checkout, url: null });
    if (route === '/v1/payment_intents' && method === 'POST') return this.#charge(form, String(headers['idempotency-key']));
    if (route === '/v1/payment_intents') return ok({ object: 'list', has_more: false, url: route, data: this.intents });
    if (route === '/v1/refunds' && method === 'POST') return this.#refund(form);
    if (route === '/v1/refunds') return ok({ object: 'list', has_more: false, url: route, data: this.#refundsOf(path) });
    const intent = this.intents.find(({ id }) => route === `/v1/payment_intents/${id}`);
    if (intent !== undefined) return ok(intent);
    const canceled = this.intents.find(({ id }) => route === `/v1/payment_intents/${id}/cancel`);
    if (canceled !== undefined) {
      this.onCancel(canceled);
      return cancel(canceled);
    }
    const [, id, detaches] = /^\/v1\/payment_methods\/(\w+)(\/detach)?$/.exec(route) ?? [];
    if (id !== undefined && id !== 'pm_unknown') return this.#method(id, detaches !== undefined);
    return refuse(404, 'invalid_request_error', `no such path ${route}`, 'resource_missing');
  };

  #method(id: string, detaches: boolean): Reply {
    if (detaches && this.detached.has(id)) return refuse(400, 'invalid_request_error', 'the method is not attached to a customer');
    if (detaches && id === 'pm_kept') return refuse(400, 'invalid_request_error', 'this method is not to be detached');
    if (detaches) this.detached.add(id);
    return ok({ id, object: 'payment_method', customer: this.detached.has(id) ? null : 'cus_1' });
  }

  #customer(body: string, key: string): Reply {
    if ((this.#customers.get(key) ?? body) !== body) return refuse(400, 'idempotency_error', 'the key was used with other parameters');
    this.#customers.set(key, body);
    return ok({ id: 'cus_1', object: 'customer' });
  }

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
    const asks = form.payment_method === 'pm_asks' && form.return_url !== undefined;
    const intent: Intent = {
      id: `pi_${this.intents.length + 1}`,
      object: 'payment_intent',
      amount: Number(form.amount),
      currency: form.currency ?? '',
      customer: form.customer ?? '',
      status: asks ? 'requires_action' : (ENDS[form.payment_method ?? ''] ?? 'succeeded'),
      metadata: { attempt: form['metadata[attempt]'] ?? '' },
      last_payment_error:
        decline === undefined || asks ? null : { code: decline === 'expired_card' ? decline : 'card_declined', decline_code: decline },
      next_action: asks ? pageFor(form.return_url ?? '') : null,
    };
    this.intents.push(intent);
    return intent;
  }

  /** As it is a day after a first call: the key is forgotten, and nothing is left to give back. */
  #refund(form: Record<string, string>): Reply {
    if (this.refunds.some((made) => made['metadata[refund]'] === form['metadata[refund]']))
      return refuse(400, 'invalid_request_error', 'already refunded', 'charge_already_refunded');
    this.refunds.push(form);
    return ok(refundObject(form, this.refunds.length - 1));
  }

  #refundsOf(path: string): unknown[] {
    const intent = new URLSearchParams(path.split('?')[1]).get('payment_intent');
    return this.refunds.map(refundObject).filter(({ payment_intent }) => payment_intent === intent);
  }
}

const ok = (body: unknown): Reply => ({ status: 200, body });
const refuse = (status: number, type: string, message: string, code?: string): Reply => ({
  status,
  body: { error: { type, message, code } },
});

const refundObject = (form: Record<string, string>, index: number) => ({
  ...{ id: `re_${index + 1}`, object: 'refund', status: 'succeeded', payment_intent: form.payment_intent },
  metadata: { refund: form['metadata[refund]'] },
});

const page = { id: 'cs_1', object: 'checkout.session', mode: 'setup', customer: 'cus_1' };
const pageFor = (returnUrl: string): Intent['next_action'] => ({
  type: 'redirect_to_url',
  redirect_to_url: { url: 'https://bank.example/3ds', return_url: returnUrl },
});

/** Only a charge that waits can be canceled. */
function cancel(intent: Intent): Reply {
  if (intent.status !== 'requires_action') return refuse(400, 'invalid_request_error', 'too late', 'payment_intent_unexpected_state');
  Object.assign(intent, { status: 'canceled', cancellation_reason: 'abandoned', next_action: null });
  return ok(intent);
}

export const finishedSetup = {
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
