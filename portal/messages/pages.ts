import type { Language } from '../../db/customer/language.ts';
import deAccount from './de/account.json' with { type: 'json' };
import deCancel from './de/cancel.json' with { type: 'json' };
import deChange from './de/change.json' with { type: 'json' };
import deContract from './de/contract.json' with { type: 'json' };
import deDocuments from './de/documents.json' with { type: 'json' };
import deEmail from './de/email.json' with { type: 'json' };
import deFrame from './de/frame.json' with { type: 'json' };
import deGate from './de/gate.json' with { type: 'json' };
import deLines from './de/lines.json' with { type: 'json' };
import deMessage from './de/message.json' with { type: 'json' };
import deMethods from './de/methods.json' with { type: 'json' };
import deOverview from './de/overview.json' with { type: 'json' };
import dePay from './de/pay.json' with { type: 'json' };
import dePayments from './de/payments.json' with { type: 'json' };
import dePrices from './de/prices.json' with { type: 'json' };
import deReasons from './de/reasons.json' with { type: 'json' };
import deRefusal from './de/refusal.json' with { type: 'json' };
import deSandbox from './de/sandbox.json' with { type: 'json' };
import enAccount from './en/account.json' with { type: 'json' };
import enCancel from './en/cancel.json' with { type: 'json' };
import enChange from './en/change.json' with { type: 'json' };
import enContract from './en/contract.json' with { type: 'json' };
import enDocuments from './en/documents.json' with { type: 'json' };
import enEmail from './en/email.json' with { type: 'json' };
import enFrame from './en/frame.json' with { type: 'json' };
import enGate from './en/gate.json' with { type: 'json' };
import enLines from './en/lines.json' with { type: 'json' };
import enMessage from './en/message.json' with { type: 'json' };
import enMethods from './en/methods.json' with { type: 'json' };
import enOverview from './en/overview.json' with { type: 'json' };
import enPay from './en/pay.json' with { type: 'json' };
import enPayments from './en/payments.json' with { type: 'json' };
import enPrices from './en/prices.json' with { type: 'json' };
import enReasons from './en/reasons.json' with { type: 'json' };
import enRefusal from './en/refusal.json' with { type: 'json' };
import enSandbox from './en/sandbox.json' with { type: 'json' };
import { hasText } from './key.ts';

/** English decides which keys there are. A page's name and a key of its file make the key of a message. */
const en = {
  account: enAccount,
  cancel: enCancel,
  change: enChange,
  contract: enContract,
  documents: enDocuments,
  email: enEmail,
  frame: enFrame,
  gate: enGate,
  lines: enLines,
  message: enMessage,
  overview: enOverview,
  payments: enPayments,
  prices: enPrices,
  methods: enMethods,
  pay: enPay,
  reasons: enReasons,
  sandbox: enSandbox,
  refusal: enRefusal,
};

type English = typeof en;
type Texts = { readonly [Page in keyof English]: { readonly [Key in keyof English[Page]]: string } };

const de: Texts = {
  account: deAccount,
  cancel: deCancel,
  change: deChange,
  contract: deContract,
  documents: deDocuments,
  email: deEmail,
  frame: deFrame,
  gate: deGate,
  lines: deLines,
  message: deMessage,
  overview: deOverview,
  payments: dePayments,
  prices: dePrices,
  methods: deMethods,
  pay: dePay,
  reasons: deReasons,
  sandbox: deSandbox,
  refusal: deRefusal,
};

export const MESSAGE_TEXTS = { en, de } as const satisfies Record<Language, Texts>;

/** `page.key` of every message, for example `overview.title`. */
export type MessageKey = { [Page in keyof English]: `${Page}.${keyof English[Page] & string}` }[keyof English];

/** Whether there is a message of this name, for a name that was stored before a release. */
export function isMessageKey(key: string): key is MessageKey {
  return hasText(en, key);
}
