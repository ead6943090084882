import { signContract } from '../../services/contract/sign.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const own = countedVendor('Of many that fail');

const CONTRACTS = 32;
/** A freeze and its end read what they read of a customer without failures, twice, and little to park each. */
const MOST_TIMES = 3;
const MOST_TO_PARK = 2;

/** A customer with contracts, of which every second one can write no move of its MRR. */
async function customerOf(contracts: number, fails: boolean): Promise<{ id: string; failing: string[]; others: string[] }> {
  const now = Date.now();
  const { id } = await own.db.transaction(async (tx) => {
    const customer = { ...blankCustomer(own.vendorId, null, now), name: 'Acme', status: 'active' as const };
    await insertCustomer(tx, customer, now);
    return customer;
  });
  const made: string[] = [];
  for (let n = 0; n < contracts; n += 1) {
    const plan = flatPlan('10.00');
    made.push(
      await own.db.transaction(async (tx) => {
        await savePlan(tx, own.vendorId, plan, now);
        return signContract(tx, signInput(own.vendorId, id, plan.id));
      }),
    );
  }
  const failing = made.filter((_, n) => fails && n % 2 === 0);
  return { id, failing, others: made.filter((contract) => !failing.includes(contract)) };
}

const refuseMoves = (contracts: readonly string[]) =>
  own.db.query(
    `alter table mrr_move add constraint refused check (contract_id not in (${contracts.map((id) => `'${id}'`).join(', ')})) not valid`,
  );
const allowMoves = () => own.db.query('alter table mrr_move drop constraint refused');

const parkedOf = async (customer: string): Promise<string[]> =>
  (
    await own.db.query<{ id: string }>(
      `select c.id from contract c where c.customer_id = $1 and c.parked_reason like '%refused%' and exists (
         select from contract_history h where h.contract_id = c.id and h.kind = 'parked' and h.detail ->> 'reason' = c.parked_reason)
       order by c.id`,
      [customer],
    )
  ).map(({ id }) => id);

describe.each(['a freeze', 'the end of a freeze'])(
  `%s of a customer with ${CONTRACTS} contracts, half of which can't be written`,
  (which) => {
    const freeze = (id: string) => own.db.transaction((tx) => freezeCustomer(tx, own.vendorId, id, { notes: null }));
    const activate = (id: string) => own.db.transaction((tx) => activateCustomer(tx, own.vendorId, id, null));
    const [prepare, write] = which === 'a freeze' ? [async () => undefined, freeze] : [freeze, activate];

    it('parks just these, and reads each contract as often, however many fail', async () => {
      const well = await customerOf(CONTRACTS, false);
      await prepare(well.id);
      const usual = await own.during(() => write(well.id));
      const { id, failing, others } = await customerOf(CONTRACTS, true);
      await prepare(id);
      await refuseMoves(failing);
      const done = await own.during(() => write(id));
      await allowMoves();
      expect(await parkedOf(id)).toEqual(failing.toSorted());
      const moves = await own.db.query<{ id: string }>(
        'select contract_id as id from mrr_move m join contract c on c.id = m.contract_id where c.customer_id = $1 group by contract_id having count(*) = $2 order by 1',
        [id, which === 'a freeze' ? 2 : 3],
      );
      expect(moves.map((move) => move.id)).toEqual(others.toSorted());
      const most = MOST_TIMES * usual.rows + MOST_TO_PARK * failing.length;
      expect({ rows: done.rows, usual: usual.rows }).toEqual({ rows: Math.min(done.rows, most), usual: usual.rows });
    });
  },
);
