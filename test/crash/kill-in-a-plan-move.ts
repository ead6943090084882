import type { AnyJson, Api } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { contractCount } from '../support/runs.ts';
import { plan, planToSave } from '../support/story-catalogue.ts';
import { changesOf, dieAndReturn, stackOfFile } from './kit.ts';

const CONTRACTS = contractCount(200);
const AT_ONCE = 10;
/** Frozen ones among them. */
const EVERY = 20;

let stack: OwnStack;

describe('a move to a plan’s newest version', () => {
  beforeAll(async () => {
    stack = await stackOfFile();
  });

  it(`changes each of ${CONTRACTS} contracts once and refuses those of frozen customers, although its worker is killed twice on the way`, async () => {
    const { api } = await stack.newVendor();
    const planId = await api.made('/v1/c/plan', planToSave(plan('pro', '30')));
    const signed = await signAll(api, planId);
    await api.made('/v1/c/plan', { id: planId, pricings: planToSave(plan('pro', '60')).pricings });
    const move = await api.made(`/v1/c/plan/${planId}/move`, { when: 'now' });
    const state = () => api.read(`/v1/c/plan/${planId}/move/${move}`);
    for (const share of [0.2, 0.6]) {
      await eventually(async () => expect((await state()).done).toBeGreaterThan(CONTRACTS * share), { timeout: 240_000, every: 20 });
      expect((await state()).status).toBe('running');
      await dieAndReturn(stack, 'worker');
    }
    await eventually(async () => expect(await state()).toMatchObject({ status: 'done' }), { timeout: 600_000, every: 200 });
    const frozen = signed.filter(({ isFrozen }) => isFrozen).map(({ contract }) => contract);
    const ended = await state();
    expect(ended).toMatchObject({ total: CONTRACTS, done: CONTRACTS - frozen.length, refused_total: frozen.length });
    const listed = ended.refused.map(({ contract, code }: AnyJson) => `${contract} ${code}`).toSorted();
    expect(listed).toEqual(frozen.map((contract) => `${contract} customer_frozen`).toSorted());
    const ids = signed.map(({ contract }) => contract);
    const changes = await withTestDatabase((db) => changesOf(db, ids), stack.servers);
    expect(changes).toEqual({ once: CONTRACTS - frozen.length, more: 0, invoices: 0 });
  }, 1_200_000);
});

interface Signed {
  contract: string;
  isFrozen: boolean;
}

async function signAll(api: Api, planId: string): Promise<Signed[]> {
  const signed: Signed[] = [];
  for (let from = 0; from < CONTRACTS; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, CONTRACTS - from) }, (_, index) =>
      signOne(api, planId, (from + index) % EVERY === 0),
    );
    signed.push(...(await Promise.all(some)));
  }
  return signed;
}

async function signOne(api: Api, planId: string, isFrozen: boolean): Promise<Signed> {
  const customer = await api.made('/v1/c/customer', { name: 'Ada' });
  const contract = await api.made('/v1/c/contract', { customer, plan: planId, currency: 'usd', cycle: 'month' });
  if (isFrozen) await api.made(`/v1/c/customer/${customer}/inactivate`);
  return { contract, isFrozen };
}
