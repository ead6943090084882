import type { AnyJson } from '../support/api.ts';
import { allPagesOf, planOfTen, signsAlone, type VendorAlone, vendorAlone } from '../support/vendor-alone.ts';

const [INVOICES, LINES] = [5, 2_200];

const MORE_LINES = `
  insert into invoice_item
  select (jsonb_populate_record(i, jsonb_build_object('id', i.id || '_' || n, 'charge_key', i.charge_key || ':' || n))).*
  from invoice_item i, generate_series(2, $2::int) n where i.invoice_id = $1`;

let alone: VendorAlone;
beforeAll(async () => {
  alone = await vendorAlone('Long');
});
afterAll(() => alone?.stop());

it(`${INVOICES} invoices with ${LINES} lines each come two on a page, with all their lines, none left out`, async () => {
  const plan = await planOfTen(alone);
  for (let n = 0; n < INVOICES; n += 1) await signsAlone(alone, plan);
  const made = (await allPagesOf<AnyJson>(alone, '/v1/c/invoice')).flat().map(({ invoice }) => invoice.id);
  for (const id of made) await alone.own.db.query(MORE_LINES, [id, LINES]);
  const pages = await allPagesOf<AnyJson>(alone, '/v1/c/invoice');
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat().map(({ invoice }) => invoice.id)).toEqual(made);
  expect(pages.flat().filter(({ invoice_items }) => invoice_items.length !== LINES)).toEqual([]);
});
