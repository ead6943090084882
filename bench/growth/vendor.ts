import type { Database } from '../../db/connect.ts';
import { createVendor, type NewVendor } from '../../services/vendor-account/create.ts';
import { type Api, api } from '../../test/support/api.ts';
import { copyTemplate, idInCopy } from './copy.ts';
import { reportEvents } from './events.ts';
import { keepFigures } from './figures.ts';
import { type Catalogue, makeCatalogue, makeCustomer, type Seeded } from './seed.ts';
import { readTemplate, type Template } from './template.ts';

/** What a vendor is to have. */
export interface Size {
  contracts: number;
  /** of each contract, beside that of the running one */
  months: number;
  /** open events of one feature of one contract */
  events: number;
  /** events of all its other contracts together */
  spread: number;
}

/** A vendor that has not grown yet: only the customers made through the API. */
export interface Sapling extends NewVendor, Catalogue {
  size: Size;
  api: Api;
  templates: readonly { template: Template; made: Seeded }[];
  /** whose contract gets the events */
  busy: Seeded;
  /** whose first period has ended and is closed by hand */
  manual: Seeded;
}

/** Contracts of different months, so that lists have different dates. */
const TEMPLATES = 4;
const HOUR = 3_600_000;

/** Templates are read whole tables at a time, so all vendors are made before any of them grows. */
export async function plant(db: Database, base: string, size: Size): Promise<Sapling> {
  const vendor = await createVendor(db, `${size.contracts} contracts`);
  const calls = api(vendor.apiKey, base);
  const catalogue = await makeCatalogue(calls);
  const busy = await makeCustomer(calls, catalogue.plan, { months: 0, mark: 'busy' });
  const manual = await makeCustomer(calls, catalogue.plan, { months: 1, mark: 'manual', terms: { usage_period_closing_policy: 'manual' } });
  const templates = [];
  for (let n = 0; n < TEMPLATES; n += 1) {
    const made = await makeCustomer(calls, catalogue.plan, { months: size.months, day: 12 + n });
    templates.push({ made, template: await readTemplate(db, made.customer) });
  }
  return { ...vendor, ...catalogue, size, api: calls, templates, busy, manual };
}

/** Copies customers and reports events until the vendor has its size; `db` needs time for statements over all of it. */
export async function grow(db: Database, vendor: Sapling): Promise<void> {
  const { vendorId, size, templates, busy, manual } = vendor;
  const each = Math.ceil(size.contracts / TEMPLATES);
  for (const { template } of templates) await copyTemplate(db, template, { vendorId, first: 1, count: each });
  // so many new rows at once are planned for as few until then
  await db.query('analyze');
  await keepFigures(db, vendorId);
  const now = Date.now();
  const report = (customers: readonly string[], count: number, until: number) =>
    reportEvents(db, { ...vendor, customers, slug: 'calls', count, from: until - 24 * HOUR, until });
  await report([busy.customer], size.events, now);
  await report([manual.customer], size.events, await endOfFirstPeriod(vendor));
  await report(customersOf(vendor), size.spread, now);
}

/** The copies, in turns of every template. */
export function customersOf({ size, templates }: Sapling, most = size.contracts): string[] {
  return Array.from({ length: most }, (_, n) => copyOf(templates, n).customer);
}

export const contractsOf = ({ size, templates }: Sapling, most = size.contracts): string[] =>
  Array.from({ length: most }, (_, n) => copyOf(templates, n).contract);

function copyOf(templates: Sapling['templates'], n: number): Seeded {
  const { customer = '', contract = '' } = templates[n % TEMPLATES]?.made ?? {};
  const copy = Math.floor(n / TEMPLATES) + 1;
  return { customer: idInCopy(customer, copy), contract: idInCopy(contract, copy) };
}

async function endOfFirstPeriod({ api: calls, manual }: Sapling): Promise<number> {
  const { contract_summary: summary } = await calls.read<{ contract_summary: Summary }>(`/v1/c/contract/${manual.contract}`);
  return Date.parse(summary.billing_information.current_period.start) - HOUR;
}

interface Summary {
  billing_information: { current_period: { start: string } };
}
