import type { AnyJson } from '../support/api.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import type { TestVendor } from '../support/vendor.ts';
import { Inbox } from './inbox.ts';

/** Servers of the test's own that send through a mail server of the test's own. */
export interface Mailing {
  stack: OwnStack;
  inbox: Inbox;
  end(): Promise<void>;
}

export async function startMailing(): Promise<Mailing> {
  const inbox = new Inbox();
  await inbox.open();
  // also for a part that is started again later
  const before = process.env.SMTP_URL;
  process.env.SMTP_URL = inbox.url;
  const close = async (): Promise<void> => {
    if (before === undefined) delete process.env.SMTP_URL;
    else process.env.SMTP_URL = before;
    await inbox.close();
  };
  try {
    const stack = await ownStack();
    return { stack, inbox, end: () => stack.stop().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A vendor that writes to its customers, those on test clocks included. */
export async function writingVendor({ stack }: Mailing, words: Record<string, unknown> = {}): Promise<TestVendor> {
  const vendor = await stack.newVendor('Müller & Söhne');
  const preferences = { enabled: true, from: 'billing@acme.example', test_clocks: true, ...words };
  const { status } = await vendor.api.post('/v1/c/preferences/email', preferences);
  expect(status).toBe(200);
  return vendor;
}

export async function proPlan({ api }: TestVendor): Promise<string> {
  const price = { amount: '100', strategy_details: { pricing_strategy: 'flat' } };
  const pricings = [{ currency: 'usd', cycle: 'month', price, features: {}, groups: {} }];
  return api.made('/v1/c/plan', { slug: 'pro', internal_name: 'Pro', strategy: 'plan', features: [], pricings });
}

export interface Person {
  id: string;
  address: string;
}

/** A customer who is written to at the label `billing`, with a sandbox method if one is named. */
export async function person({ api }: TestVendor, name: string, words: Record<string, unknown> = {}, method?: string): Promise<Person> {
  const address = `${name.toLowerCase()}@customer.example`;
  const emails = { main: `main-${address}`, billing: address };
  const id = await api.made('/v1/c/customer', { name, emails, ...words });
  await api.made(`/v1/c/customer/${id}/activate`, {});
  if (method !== undefined) {
    const { token } = await api.made<AnyJson>(`/v1/c/customer/${id}/payment/session`, { provider: 'sandbox' });
    await api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: method });
  }
  return { id, address };
}

export const onClock = (vendor: TestVendor, now: string): Promise<ClockHandle> => clockOf(vendor, now);

/** What the customer's history says of e-mails, as "email_sent invoice". */
export async function emailHistory({ api }: TestVendor, { id }: Person): Promise<string[]> {
  const { hits } = await api.read<AnyJson>(`/v1/c/customer/${id}/history?limit=100`);
  return hits.filter(({ action }: AnyJson) => action.startsWith('email_')).map(({ action, notes }: AnyJson) => `${action} ${notes}`);
}
