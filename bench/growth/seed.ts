import type { Api } from '../../test/support/api.ts';
import { eventually } from '../../test/support/eventually.ts';
import { planOf } from '../api/seed.ts';
import { MARK } from './template.ts';

export interface Seeded {
  customer: string;
  contract: string;
}

export interface Catalogue {
  plan: string;
  bigger: string;
}

const DAY = 86_400_000;

export const makeCatalogue = async (api: Api, suffix = ''): Promise<Catalogue> => ({
  plan: await api.made('/v1/c/plan', planOf(`pro${suffix}`, 1)),
  bigger: await api.made('/v1/c/plan', planOf(`max${suffix}`, 3)),
});

/**
 * A customer with a contract that began so many months ago and has an invoice for each of them, and one event of usage.
 * Names hold the mark, so that no two copies have the same.
 */
export async function makeCustomer(api: Api, plan: string, age: Age): Promise<Seeded> {
  const { months, began = beganBefore(months, age.day), mark = MARK, terms = {} } = age;
  const names = { name: `Customer ${mark}`, emails: { main: `${mark}@example.com` }, customer_reference: `reference-${mark}` };
  const customer = await api.made('/v1/c/customer', names);
  const signing = { customer, plan, currency: 'usd', cycle: 'month', activation: began };
  const contract = await api.made('/v1/c/contract', { ...signing, ...terms });
  await eventually(async () => {
    const { total } = await api.read<{ total: number }>(`/v1/c/invoice?contract=${contract}`);
    if (total !== months + 1) throw new Error(`${total} of ${months + 1} invoices`);
  });
  await api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '1' });
  return { customer, contract };
}

interface Age {
  months: number;
  began?: string;
  /** of the month */
  day?: number;
  /** what its name, e-mail and reference end or begin with */
  mark?: string;
  /** further fields of the signing */
  terms?: Record<string, string>;
}

/** A day in the middle of a month, so that neither its end nor the length of the last one matters. */
export function beganBefore(months: number, day = 15, now = Date.now()): string {
  const date = new Date(now - (day + 1) * DAY);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, day)).toISOString();
}
