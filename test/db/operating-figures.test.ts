import { operatingFigures } from '../../db/health/figures.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { createEndpoint } from '../../services/webhook/endpoint.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';

/** More quiet endpoints than anybody would look at one by one. */
const QUIET = 600;

let own: OwnDatabase;
beforeAll(async () => {
  own = await ownDatabase();
});
afterAll(() => own.drop());

it(`an endpoint that has not got an event is seen among ${QUIET} whose vendors have none`, async () => {
  const { db } = own;
  const [quiet, busy] = [await createVendor(db, 'Quiet'), await createVendor(db, 'Busy')];
  const happen = () =>
    db.transaction((tx) =>
      publish(tx, [{ vendorId: busy.vendorId, type: 'v1.customer.created', objectId: 'Cust_1', at: Date.now(), data: {} }]),
    );
  const endpoint = (vendorId: string) =>
    db.transaction((tx) =>
      createEndpoint(tx, vendorId, { url: 'https://example.com', types: [], description: null }, { own: 'x'.repeat(32), now: Date.now() }),
    );
  const { id } = await endpoint(quiet.vendorId);
  await db.query(
    `insert into webhook_endpoint select (jsonb_populate_record(w, jsonb_build_object('id', w.id || n))).* from webhook_endpoint w, generate_series(2, ${QUIET}) n
     where w.id = $1`,
    [id],
  );
  await happen();
  await endpoint(busy.vendorId);
  expect(await operatingFigures(db)).toMatchObject({ endpointsActive: QUIET + 1, endpointsLag: 0 });
  await happen();
  await eventually(async () => expect((await operatingFigures(db)).endpointsLag).toBeGreaterThan(0));
});
