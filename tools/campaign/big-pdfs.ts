import type { Api, AnyJson } from '../../test/support/api.ts';
import { type Attack, again, type Findings, timed } from './attack.ts';

const [FEATURES, INVOICES, AT_ONCE] = [200, 30, 8];

/** Invoices of 201 lines, each printed for the first time, many at once. */
export const bigPdfs: Attack = {
  name: 'big PDFs',
  restSeconds: 2,
  prepare: async ({ attacker }) => {
    const invoices = await makeInvoices(attacker);
    return (until) => play(attacker, invoices, until);
  },
};

async function makeInvoices(attacker: Api): Promise<string[]> {
  const slugs = Array.from({ length: FEATURES }, (_, n) => `feature-${n}`);
  const price = { amount: '1.25', strategy_details: { pricing_strategy: 'flat' } };
  const plan = await attacker.made('/v1/c/plan', {
    ...{ slug: 'wide', internal_name: 'wide', strategy: 'plan', features: slugs.map((slug) => ({ slug, name: `Feature ${slug}` })) },
    pricings: [{ currency: 'usd', cycle: 'month', price, features: Object.fromEntries(slugs.map((slug) => [slug, price])) }],
  });
  const invoices: string[] = [];
  for (let n = 0; n < INVOICES; n += 1) {
    const customer = await attacker.made('/v1/c/customer', { name: `Wide ${n}` });
    const contract = await attacker.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const { hits } = await attacker.read<{ hits: AnyJson[] }>(`/v1/c/invoice?contract=${contract}`);
    invoices.push(hits[0].invoice.id);
  }
  return invoices;
}

async function play(attacker: Api, invoices: readonly string[], until: number): Promise<Findings> {
  const [times, broken]: [number[], string[]] = [[], []];
  let turnedAway = 0;
  await again(until, AT_ONCE, async (n) => {
    const { value, ms } = await timed(() => attacker.get(`/v1/c/invoice/${invoices[n % invoices.length]}/pdf`));
    if (value.status === 200) times.push(ms);
    else if (value.status === 429 || value.status === 503) turnedAway += 1;
    else broken.push(`a PDF was answered ${value.status}`);
  });
  const slowest = Math.round(times.reduce((most, ms) => Math.max(most, ms), 0));
  const notes = [
    `${times.length} PDFs of ${FEATURES + 1} lines, ${AT_ONCE} at a time, the slowest after ${slowest} ms, ${turnedAway} put off`,
  ];
  return { notes, broken };
}
