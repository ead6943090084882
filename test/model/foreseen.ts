import type { AnyJson } from '../support/api.ts';
import { iso, look, type World } from './world.ts';

/** What the service said would be the next invoice of a contract. */
interface Foreseen {
  contract: string;
  upcoming: AnyJson;
}

/** So many of the youngest contracts are asked about: the live ends of their chains are among them. */
const MOST = 5;

/** Asks for the next invoice of some contracts before time moves on. */
export async function foresee(world: World): Promise<Foreseen[]> {
  const foreseen: Foreseen[] = [];
  for (const contract of world.contracts.slice(-MOST)) {
    foreseen.push({ contract, upcoming: await look(world, `/v1/c/contract/${contract}/upcoming_invoice`) });
  }
  return foreseen;
}

/** Compares what was foreseen with what was written while time moved on and nobody did anything. */
export async function expectAsForeseen(world: World, foreseen: readonly Foreseen[], from: number, to: number): Promise<void> {
  for (const { contract, upcoming } of foreseen) {
    const at = upcoming.at === null ? Number.POSITIVE_INFINITY : Date.parse(upcoming.at);
    const sooner = await invoicesOf(world, contract, from + 1, Math.min(to + 1, at));
    if (sooner.length > 0) throw new Error(`${contract} foresaw ${said(upcoming)} and was billed ${sooner.map(said).join(' and ')}`);
    if (at > to) continue;
    const promised = [upcoming, ...upcoming.others];
    for (const id of new Set<string>(promised.map(({ invoice }) => invoice.contract_id))) {
      const [shown, written] = [promised.filter(({ invoice }) => invoice.contract_id === id), await invoicesOf(world, id, at, at + 1)];
      const [expected, real] = [shown, written].map((some) => some.map(said).sort().join(' and '));
      if (expected !== real) throw new Error(`${contract} foresaw ${expected} and was billed ${real}`);
    }
  }
}

/** Those dated from an instant on and before another one. */
async function invoicesOf(world: World, contract: string, from: number, before: number): Promise<AnyJson[]> {
  if (before <= from) return [];
  const { hits } = await look(world, `/v1/c/invoice?contract=${contract}&date_after=${iso(from)}&date_before=${iso(before)}&limit=20`);
  return hits;
}

/** An invoice without what is known only once it is made. */
function said({ invoice, invoice_items }: AnyJson): string {
  if (invoice === null) return 'none';
  const lines = invoice_items.map((item: AnyJson) =>
    [
      item.name,
      item.unit_count,
      item.unit_price,
      item.subtotal,
      item.discount_amount,
      item.tax_amount,
      item.total_including_tax,
      item.due_date,
    ].join(' '),
  );
  return JSON.stringify([invoice.contract_id, invoice.date, invoice.due_date, invoice.total, ...lines]);
}
