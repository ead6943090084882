import type { AnyJson } from '../support/api.ts';
import type { Act } from './acts.ts';
import { iso, look, pick, tried, type World } from './world.ts';

const DAY = 86_400_000;

export const grant: Act = async (world, { a, b }) => {
  const customer = pick(world.customers, a);
  if (customer === undefined) return;
  const cents = b % 4 === 0 ? -500 : (b % 60) * 100 + 1;
  const body = { currency: 'usd', amount: (cents / 100).toFixed(2), description: 'by hand' };
  if ((await tried(world, `/v1/c/customer/${customer}/wallet/transaction`, body)) !== null) world.journal.granted(customer, cents);
};

/** Prepaid credits: for ever, or for some days that may cut a usage period; any line, or a feature's alone. */
export const credits: Act = async (world, { a, b, c }) => {
  const customer = pick(world.customers, a);
  if (customer === undefined) return;
  const cents = (b % 50) * 100 + 1;
  const days = c % 40;
  const expires = days === 0 ? {} : { expires_at: iso(world.now() + days * DAY) };
  const given = { customer, currency: 'usd', amount: (cents / 100).toFixed(2), kind: 'promotional', priority: b % 3, ...expires };
  const id = await tried<string>(world, '/v1/c/credit_grant', given);
  if (id !== null) world.journal.credits.set(id, cents);
};

/** Credits that are bought: some for less than they pay, some for more. */
export const buyCredits: Act = async (world, { a, b, c }) => {
  const customer = pick(world.customers, a);
  if (customer === undefined) return;
  const cents = (b % 30) * 100 + 100;
  const price = ((cents * (80 + (c % 3) * 20)) / 10_000).toFixed(2);
  const expires = c % 4 === 0 ? { expires_at: iso(world.now() + ((c % 40) + 1) * DAY) } : {};
  const bought = { customer, currency: 'usd', amount: (cents / 100).toFixed(2), price, kind: 'purchased', ...expires };
  const id = await tried<string>(world, '/v1/c/credit_grant', bought);
  if (id !== null) world.journal.bought.set(id, cents);
};

export const voidCredits: Act = async (world, { a }) => {
  const id = pick([...world.journal.credits.keys(), ...world.journal.bought.keys()], a);
  if (id !== undefined) await tried(world, `/v1/c/credit_grant/${id}/void`);
};

async function invoiceOf(world: World, index: number, status: string): Promise<AnyJson | undefined> {
  const customer = pick(world.customers, index);
  const { hits } = await look(world, `/v1/c/invoice?customer=${customer}&status=${status}&limit=20`);
  return pick<AnyJson>(hits, index);
}

export const pay: Act = async (world, { a, b }) => {
  const found = await invoiceOf(world, a, 'ready_for_payment');
  if (found !== undefined) await tried(world, `/v1/c/invoice/${found.invoice.id}/pay`, b % 3 === 0 ? {} : { method: 'manual' });
};

export const invoice: Act = async (world, { a }) => {
  await tried(world, '/v1/c/invoice', { customer_id: pick(world.customers, a) });
};

export const validate: Act = async (world, { a, b }) => {
  const found = await invoiceOf(world, a, 'pending_validation');
  if (found === undefined) return;
  await tried(world, `/v1/c/invoice/${found.invoice.id}/${b % 5 === 0 ? 'void' : 'validate'}`);
  // of a voided invoice; of any other the items are refused
  if (b % 10 === 0) await tried(world, '/v1/c/invoice', { invoice_item_ids: found.invoice_items.map(({ id }: AnyJson) => id) });
};

export const creditNote: Act = async (world, { a, b }) => {
  const found = await invoiceOf(world, a, b % 2 === 0 ? 'paid' : 'ready_for_payment');
  const item = found === undefined ? undefined : pick<AnyJson>(found.invoice_items, b);
  if (found === undefined || item === undefined) return;
  const items = [{ invoice_item_id: item.id, ...(b % 3 === 0 ? { amount: '1.00' } : {}) }];
  await tried(world, `/v1/c/invoice/${found.invoice.id}/credit_note`, { items, to: b % 4 === 0 ? 'payment' : 'wallet' });
};
