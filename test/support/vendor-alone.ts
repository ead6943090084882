import { type OwnDatabase, ownDatabase } from './own-database.ts';
import { type SecondApi, secondApi } from './second-api.ts';
import { servers } from './servers.ts';
import { newVendor, type TestVendor } from './vendor.ts';

/** A vendor with a database and an API to itself. No workflow runs there, and the shared worker doesn't know of it. */
export interface VendorAlone {
  own: OwnDatabase;
  vendor: TestVendor;
  stop(): Promise<void>;
}

export async function vendorAlone(name: string): Promise<VendorAlone> {
  const own = await ownDatabase();
  const api: SecondApi = await secondApi({ databaseUrl: own.databaseUrl, temporalAddress: '127.0.0.1:1' });
  const vendor = await newVendor(name, { ...(await servers()), databaseUrl: own.databaseUrl, baseUrl: api.baseUrl });
  return {
    own,
    vendor,
    stop: async () => {
      await api.stop();
      await own.drop();
    },
  };
}

/** All pages of a list of a hundred at most. */
export async function allPagesOf<T>({ vendor }: VendorAlone, path: string): Promise<T[][]> {
  const pages: T[][] = [];
  for (let offset: string | null = ''; offset !== null; ) {
    const page: { hits: T[]; forward: string | null } = await vendor.api.read(
      `${path}?limit=100${offset === '' ? '' : `&offset=${offset}`}`,
    );
    pages.push(page.hits);
    offset = page.forward;
  }
  return pages;
}

/** A customer with a contract for 10.00 a month, and both ids. */
export async function signsAlone({ vendor }: VendorAlone, plan: string): Promise<{ customer: string; contract: string }> {
  const customer = await vendor.api.made<string>('/v1/c/customer', { name: 'Ada' });
  return { customer, contract: await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' }) };
}

export function planOfTen({ vendor }: VendorAlone): Promise<string> {
  const price = { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } };
  const pricings = [{ currency: 'usd', cycle: 'month', price }];
  return vendor.api.made('/v1/c/plan', { slug: 'pro', internal_name: 'Pro', strategy: 'plan', pricings });
}
