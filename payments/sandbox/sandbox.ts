import { DAY, HOUR, type Instant } from '../../billing/calendar/instant.ts';
import { dec } from '../../billing/money/decimal.ts';
import { NEEDS_ACTION } from '../../billing/payment/types.ts';
import type { ChargeOutcome, NewMethod, Notice, Provider, ProviderChargeRequest, SetupOutcome } from '../port.ts';
import { OutcomeUnknown, WebhookRefused } from '../problem.ts';
import type { Book, BookedCharge, BookedSetup } from './book.ts';
import { behaviourOf, isSandboxMethod, SANDBOX_METHODS, type SandboxMethod } from './methods.ts';

interface SandboxParts {
  book: Book;
  /** Receives the notice of `sandbox_answers_twice`, before the call returns. */
  notify: (notice: Notice) => Promise<void>;
}

/** The pages that stand for the sandbox's own and for the customer's bank are in the portal. */
const PAGES = '/portal/sandbox';

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return encodeURIComponent(`${pathname}${search}`);
};

/** The built-in processor: each method's name says how its charges end; its book survives a crash of ours. */
export function createSandbox({ book, notify }: SandboxParts): Provider {
  return {
    name: 'sandbox',
    charges: true,
    createSetup: async ({ token, customerId, hosted }) => ({
      reference: token,
      customerReference: customerId,
      // the token alone confirms a session, so it is the secret
      clientSecret: token,
      connectedAccountId: 'sandbox',
      publishableKey: 'sandbox',
      ...(hosted === undefined ? {} : { page: { url: `${PAGES}/${token}?back=${pathOf(hosted.returnUrl)}`, fields: null } }),
    }),
    readSetup: async ({ reference }) => setupOutcome(await book.setup(reference)),
    confirmSetup: async ({ reference, choice }) => {
      if (!isSandboxMethod(choice)) throw new Error(`${choice} is no sandbox method`);
      return setupOutcome(await book.confirm(reference, choice));
    },
    async charge(request) {
      const behaviour = behaviourOf(request.method.reference);
      const booked = await book.enter(entryOf(request));
      if (!dec(booked.amount).eq(request.amount) || booked.currency !== request.currency) {
        throw new Error(`the sandbox knows ${request.key} with another amount: ${booked.amount} ${booked.currency}`);
      }
      const outcome = outcomeOf(booked, request.now);
      if (behaviour.answer === 'never') throw new OutcomeUnknown('The sandbox did not answer in time.');
      if (behaviour.answer === 'twice') {
        await notify({ id: `sandbox_notice_${request.key}`, type: 'charge', key: request.key, reference: booked.reference, outcome });
      }
      return outcome;
    },
    async lookup({ key, now }) {
      const booked = await book.find(key);
      return booked === null ? null : outcomeOf(booked, now);
    },
    secondStep: {
      pageOf: async ({ key }) => ((await book.find(key))?.status === 'waiting' ? `${PAGES}/charge/${key}` : null),
      async giveUp({ key, now }) {
        await book.decide(key, 'refused', 'abandoned');
        const booked = await book.find(key);
        return booked === null ? null : outcomeOf(booked, now);
      },
      decide: ({ key, approved }) => book.decide(key, approved ? 'taken' : 'refused', approved ? null : 'authentication_failed'),
    },
    async refund({ key, reference, amount }) {
      const taken = await book.refund({ key, chargeReference: reference, amount });
      return taken ? { status: 'succeeded', reference: `sandbox_refund_${key}` } : { status: 'failed', reason: 'more_than_was_taken' };
    },
    detach: async () => {},
    readWebhook: () => Promise.reject(new WebhookRefused('The sandbox sends no webhooks.')),
  };
}

function entryOf({ key, method, amount, currency, now, returnUrl }: ProviderChargeRequest): BookedCharge {
  const { charge, reason, asks } = behaviourOf(method.reference);
  const entry = { key, reference: `sandbox_charge_${key}`, method: method.reference, amount, currency };
  if (asks && returnUrl != null) return { ...entry, status: 'waiting', reason: null, settlesAt: now + HOUR };
  return { ...entry, status: charge, reason, settlesAt: charge === 'slow' ? now + DAY : now };
}

function outcomeOf({ reference, method, status, reason, settlesAt }: BookedCharge, now: Instant): ChargeOutcome {
  if (status === 'refused') return { status: 'failed', reference, reason: reason ?? 'declined', retryable: behaviourOf(method).retryable };
  if (status === 'waiting') return { status: 'pending', reference, askAgainAt: settlesAt, reason: NEEDS_ACTION };
  const isTaken = status === 'taken' || settlesAt <= now;
  return isTaken ? { status: 'succeeded', reference } : { status: 'pending', reference, askAgainAt: settlesAt };
}

function setupOutcome(setup: BookedSetup | null): SetupOutcome {
  if (setup?.choice == null) return { status: 'pending', reason: null };
  if (setup.confirmations < SANDBOX_METHODS[setup.choice].confirmations) return { status: 'pending', reason: 'needs_action' };
  return { status: 'succeeded', method: methodOf(setup.choice, setup.reference) };
}

function methodOf(choice: SandboxMethod, setupReference: string): NewMethod {
  const expired = choice === 'sandbox_expired_card';
  return {
    reference: `${choice}.${setupReference}`,
    customerReference: null,
    type: 'card',
    details: { brand: choice, last4: '4242', expMonth: 12, expYear: expired ? 2020 : 2099 },
    holderName: null,
  };
}
