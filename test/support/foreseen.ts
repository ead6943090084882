import type { AnyJson } from './api.ts';

/** Reads a path of the API. */
export type Reading = (path: string) => Promise<AnyJson>;

/** What the service said would be the next invoice of a contract. */
interface Foreseen {
  contract: string;
  upcoming: AnyJson;
}

/** Asks for the next invoice of some contracts before time moves on. */
export async function foresee(read: Reading, contracts: readonly string[]): Promise<Foreseen[]> {
  const foreseen: Foreseen[] = [];
  for (const contract of contracts) foreseen.push({ contract, upcoming: await read(`/v1/c/contract/${contract}/upcoming_invoice`) });
  return foreseen;
}

/** Compares what was foreseen with what was written while time moved on and nobody did anything. */
export async function expectAsForeseen(read: Reading, foreseen: readonly Foreseen[], from: number, to: number): Promise<void> {
  for (const { contract, upcoming } of foreseen) {
    const at = upcoming.at === null ? Number.POSITIVE_INFINITY : Date.parse(upcoming.at);
    const sooner = await invoicesOf(read, contract, from + 1, Math.min(to + 1, at));
    if (sooner.length > 0)
      throw new Error(`${contract} foresaw ${foreseenFigures(upcoming)} and was billed ${sooner.map(foreseenFigures).join(' and ')}`);
    if (at > to) continue;
    const promised = [upcoming, ...upcoming.others];
    for (const id of new Set<string>(promised.map(({ invoice }) => invoice.contract_id))) {
      const [shown, written] = [promised.filter(({ invoice }) => invoice.contract_id === id), await invoicesOf(read, id, at, at + 1)];
      const [expected, real] = [shown, written].map((some) => some.map(foreseenFigures).sort().join(' and '));
      if (expected !== real) throw new Error(`${contract} foresaw ${expected} and was billed ${real}`);
    }
  }
}

/** Those dated from an instant on and before another one. */
async function invoicesOf(read: Reading, contract: string, from: number, before: number): Promise<AnyJson[]> {
  if (before <= from) return [];
  const { hits } = await read(
    `/v1/c/invoice?contract=${contract}&date_after=${new Date(from).toISOString()}&date_before=${new Date(before).toISOString()}&limit=20`,
  );
  return hits;
}

/** An invoice without what is known only once it is made. */
export function foreseenFigures({ invoice, invoice_items }: AnyJson): string {
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
