import { z } from 'zod';
import { dayList, signatureKey, webAddress } from './fields.ts';
import type { Environment } from './parse.ts';
import { ConfigError, readVariables } from './parse.ts';

export type CardprocConfig = {
  secretKey: string;
  publishableKey: string;
  /** The account that charges are made for, in the processor's platform mode. */
  connectedAccount: string | null;
  webhookSecret: string;
  apiBase: string | null;
};

export type AuthorizeConfig = {
  loginId: string;
  transactionKey: string;
  signatureKey: string;
  apiBase: string | null;
};

export type PaymentsConfig = {
  /** Null: this provider has no keys and cannot be chosen. */
  cardproc: CardprocConfig | null;
  authorize: AuthorizeConfig | null;
  /** Days after the first failed attempt on which a payment is retried. */
  retryDays: readonly number[];
};

const variables = z.object({
  CARDPROC_SECRET_KEY: z.string().optional(),
  CARDPROC_PUBLISHABLE_KEY: z.string().optional(),
  CARDPROC_CONNECTED_ACCOUNT: z.string().optional(),
  CARDPROC_WEBHOOK_SECRET: z.string().optional(),
  CARDPROC_API_BASE: webAddress.optional(),
  AUTHORIZE_LOGIN_ID: z.string().optional(),
  AUTHORIZE_TRANSACTION_KEY: z.string().optional(),
  AUTHORIZE_SIGNATURE_KEY: signatureKey.optional(),
  AUTHORIZE_API_BASE: webAddress.optional(),
  PAYMENT_RETRY_DAYS: dayList.default([1, 3, 5, 7]),
});

type Variables = z.output<typeof variables>;

export function readPayments(env: Environment): PaymentsConfig {
  const given = readVariables(variables, env);
  return { cardproc: readCardproc(given), authorize: readAuthorize(given), retryDays: given.PAYMENT_RETRY_DAYS };
}

function readCardproc(given: Variables): CardprocConfig | null {
  const [secretKey, publishableKey, webhookSecret] = allOrNone(given, [
    'CARDPROC_SECRET_KEY',
    'CARDPROC_PUBLISHABLE_KEY',
    'CARDPROC_WEBHOOK_SECRET',
  ]);
  if (!secretKey || !publishableKey || !webhookSecret) return null;
  return {
    secretKey,
    publishableKey,
    connectedAccount: given.CARDPROC_CONNECTED_ACCOUNT ?? null,
    webhookSecret,
    apiBase: given.CARDPROC_API_BASE ?? null,
  };
}

function readAuthorize(given: Variables): AuthorizeConfig | null {
  const [loginId, transactionKey, signatureKey] = allOrNone(given, [
    'AUTHORIZE_LOGIN_ID',
    'AUTHORIZE_TRANSACTION_KEY',
    'AUTHORIZE_SIGNATURE_KEY',
  ]);
  if (!loginId || !transactionKey || !signatureKey) return null;
  return { loginId, transactionKey, signatureKey, apiBase: given.AUTHORIZE_API_BASE ?? null };
}

/** Refuses an incomplete set of keys at start-up, since it would fail at the first payment. */
function allOrNone(given: Variables, names: readonly (keyof Variables & string)[]): (string | undefined)[] {
  const values = names.map((name) => given[name] as string | undefined);
  const missing = names.filter((_, i) => !values[i]);
  if (missing.length > 0 && missing.length < names.length) {
    const present = names.filter((name) => !missing.includes(name)).join(', ');
    throw new ConfigError(missing.map((name) => `${name}: is needed too, since ${present} is set`));
  }
  return values;
}
