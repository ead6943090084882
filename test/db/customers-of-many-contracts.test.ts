import type { AnyJson } from '../support/api.ts';
import { allPagesOf, planOfTen, signsAlone, type VendorAlone, vendorAlone } from '../support/vendor-alone.ts';

const [CUSTOMERS, CONTRACTS] = [5, 900];

/** Contracts that changes have left. */
const LEFT = `
  insert into contract
  select (jsonb_populate_record(c, jsonb_build_object('id', c.id || '_' || n, 'status', 'moved', 'ended', c.created))).*
  from contract c, generate_series(2, $2::int) n where c.id = $1`;

let alone: VendorAlone;
beforeAll(async () => {
  alone = await vendorAlone('Long');
});
afterAll(() => alone?.stop());

it(`${CUSTOMERS} customers with ${CONTRACTS} contracts each come two on a page, with all their contracts, none left out`, async () => {
  const plan = await planOfTen(alone);
  const made: string[] = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const { customer, contract } = await signsAlone(alone, plan);
    await alone.own.db.query(LEFT, [contract, CONTRACTS]);
    made.push(customer);
  }
  const pages = await allPagesOf<AnyJson>(alone, '/v1/c/customer');
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat().map(({ id }) => id)).toEqual(made);
  expect(pages.flat().filter(({ contracts }) => contracts.length !== CONTRACTS)).toEqual([]);
});
