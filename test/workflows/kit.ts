import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { at } from '../../billing/calendar/instant.ts';
import type { ContractStatus } from '../../billing/contract/types.ts';
import { sendClock } from '../../db/clock/advance.ts';
import { connect, type Database } from '../../db/connect.ts';
import type { ChangeWish } from '../../db/contract/change.ts';
import { type SignWish, signContract } from '../../db/contract/sign.ts';
import { blankCustomer } from '../../db/customer/customer.ts';
import { insertCustomer } from '../../db/customer/save.ts';
import { newId } from '../../db/id.ts';
import type { CataloguePlan } from '../../db/plan/plan.ts';
import { savePlan } from '../../db/plan/save.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { createVendor } from '../../db/vendor/create-vendor.ts';
import { deliverWishes } from '../../db/wish/deliver.ts';
import type { Command, Json, Operation } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import type { Servers } from '../support/servers.ts';

export const TASK_QUEUE = 'perennial';

/** What is beneath the API, for stories about workflows and rows. */
export interface Kit {
  db: Database;
  client: Client;
  connection: Connection;
  vendorId: string;
  plan(price: string, options?: { cycle?: CataloguePlan['pricings'][number]['cycle']; slug?: string; trialDays?: number }): Promise<string>;
  clock(now: string): Promise<string>;
  customer(clockId?: string | null): Promise<string>;
  /** What is signed for a plain contract. */
  wishOf(customerId: string, planId: string): SignWish;
  /** Signs and delivers the wish; the contract becomes ready by itself. */
  sign(customerId: string, planId: string, wish?: Partial<SignWish>): Promise<string>;
  advance(clockId: string, to: string): Promise<{ status: string; reason: string | null }>;
  ask(contractId: string, operation: Operation, request: object): Promise<Json>;
  state(contractId: string): Promise<{ status: ContractStatus; idx: number | null; parked: string | null }>;
  ready(contractId: string): Promise<void>;
  invoices(contractId: string): Promise<{ number: string; date: number; total: string }[]>;
  close(): Promise<void>;
}

const NO_PRICING = { pricingId: null, currency: null, cycle: null };

export const changeTo = (planId: string, options: Partial<ChangeWish> = {}): ChangeWish => ({
  strategy: 'new_plan',
  planId,
  pricing: NO_PRICING,
  overrides: {},
  discountId: null,
  activation: { type: 'immediate' },
  downgradeAllowed: false,
  ...options,
});

export async function openKit(servers: Pick<Servers, 'databaseUrl' | 'temporalAddress'>): Promise<Kit> {
  const db = await connect({ databaseUrl: servers.databaseUrl, databasePool: 4 });
  const connection = await Connection.connect({ address: servers.temporalAddress });
  const client = new Client({ connection });
  const { vendorId } = await createVendor(db, 'Kit');
  const deliver = (wishes: readonly string[]) => deliverWishes(db, client, TASK_QUEUE, wishes);

  const state: Kit['state'] = async (id) => {
    const [row] = await db.query<Awaited<ReturnType<Kit['state']>>>(
      'select status, current_idx as idx, parked_reason as parked from contract where id = $1',
      [id],
    );
    if (row === undefined) throw new Error(`there is no contract ${id}`);
    return row;
  };

  return {
    db,
    client,
    connection,
    vendorId,
    state,
    plan: async (price, { cycle = 'month', slug = newId('plan').toLowerCase(), trialDays = 0 } = {}) => {
      const plan = planOf(price, slug, cycle, trialDays);
      await db.transaction((tx) => savePlan(tx, vendorId, plan, Date.now()));
      return plan.id;
    },
    clock: async (now) => {
      const id = newId('Clock');
      await insertRows(db, 'test_clock', [{ id, vendor_id: vendorId, created: stamp(Date.now()), now, status: 'ready', used: false }]);
      return id;
    },
    customer: async (clockId = null) => {
      const now = Date.now();
      const customer = { ...blankCustomer(vendorId, clockId, now), name: 'Acme', status: 'active' as const };
      await db.transaction((tx) => insertCustomer(tx, customer, now));
      return customer.id;
    },
    wishOf: (customerId, planId) => signWish(vendorId, customerId, planId),
    sign: async (customerId, planId, wish = {}) => {
      const { contract, wishes } = await db.transaction((tx) => signContract(tx, { ...signWish(vendorId, customerId, planId), ...wish }));
      await deliver(wishes);
      return contract.id;
    },
    advance: async (clockId, to) => {
      await deliver(await db.transaction((tx) => sendClock(tx, vendorId, clockId, at(to))));
      return eventually(
        async () => {
          const [row] = await db.query<{ status: string; reason: string | null }>('select status, reason from test_clock where id = $1', [
            clockId,
          ]);
          if (row === undefined || row.status === 'advancing') throw new Error(`the clock ${clockId} is still on its way`);
          return row;
        },
        { timeout: 60_000 },
      );
    },
    ask: (contractId, operation, request) =>
      client.workflow.getHandle(contractId).executeUpdate<Json, [Command]>(operation, {
        args: [
          {
            vendorId,
            request: request as Json,
            deadline: Date.now() + 10_000,
            answer: { vendorId, operation: `update ${operation}`, key: randomUUID(), bodyHash: '' },
            claimed: false,
            status: 200,
            keyId: null,
          },
        ],
      }),
    ready: (id) =>
      eventually(async () => {
        if ((await state(id)).status === 'not_ready') throw new Error(`${id} is not ready`);
      }),
    invoices: (contractId) => db.query('select number, date, total from invoice where contract_id = $1 order by number', [contractId]),
    close: async () => {
      await connection.close();
      await db.close();
    },
  };
}

function planOf(price: string, slug: string, cycle: CataloguePlan['pricings'][number]['cycle'], trialDays: number): CataloguePlan {
  const flat = { id: newId('Price'), amount: price, strategy: { kind: 'flat' as const }, freeCycles: 0, taxCode: null };
  return {
    id: newId('Plan'),
    slug,
    internalName: slug,
    externalName: null,
    description: null,
    strategy: 'plan',
    freeTrialDays: trialDays,
    metadata: {},
    status: 'active',
    created: Date.now(),
    features: [],
    pricings: [{ id: newId('Price'), currency: 'usd', cycle, freeCycles: 0, price: flat, features: {}, groups: {} }],
  };
}

function signWish(vendorId: string, customerId: string, planId: string): SignWish {
  return {
    vendorId,
    customerId,
    planId,
    pricing: NO_PRICING,
    overrides: {},
    discountId: null,
    activation: null,
    isPending: false,
    expiration: null,
    trialDays: null,
    freeCycles: null,
    offset: null,
    configuration: {},
  };
}
