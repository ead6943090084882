import fc from 'fast-check';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { machines } from '../../billing/lifecycle/diagram.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { type Machine, next, type Transition, takes } from '../../billing/lifecycle/machine.ts';
import { connect, type Database } from '../../db/connect.ts';
import { statusMove } from '../../db/sql/status.ts';
import { RULED } from '../house/statuses.ts';
import { runs } from '../support/runs.ts';
import { servers } from '../support/servers.ts';

let db: Database;
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 2 });
});
afterAll(() => db.close());

const STATES = ['a', 'b', 'c', 'd'];
const GUARDS = ['one', 'other'].map((name) => ({ name, text: name }));
const SQL = { one: 'x.yes', other: 'y.yes' };

const transition = fc.record({
  from: fc.constantFrom(...STATES),
  trigger: fc.constant('go'),
  to: fc.constantFrom(...STATES),
  guard: fc.option(fc.constantFrom(...GUARDS), { nil: undefined }),
});

const machineOf = (
  rows: readonly { from: string; trigger: string; to: string; guard: Transition<string, string>['guard'] }[],
): Machine => ({
  name: 'thing',
  states: Object.fromEntries(STATES.map((state) => [state, state])),
  starts: [],
  transitions: rows.map(({ guard, ...row }) => (guard === undefined ? row : { ...row, guard })),
});

/** What Postgres makes of rows in every state with every pair of facts. */
function asked({ from, to }: { from: string; to: string }, states: readonly string[]) {
  return db.query<{ status: string; one: boolean; other: boolean; may: boolean; to: string | null }>(
    `select s.status, x.yes as one, y.yes as other, ${from} as may, ${to} as to
     from unnest($1::text[]) s(status) cross join (values (true), (false)) x(yes) cross join (values (true), (false)) y(yes)`,
    [states],
  );
}

function nextOrNull(machine: Machine, status: string, trigger: string, facts: Record<string, boolean>): string | null {
  try {
    return next(machine, status, trigger, facts);
  } catch {
    return null;
  }
}

it('no table gives a status of its own to a new row', async () => {
  const defaults = await db.query(
    `select table_name from information_schema.columns where column_name = 'status' and column_default is not null and table_name = any($1::text[])`,
    [Object.keys(RULED)],
  );
  expect(defaults).toEqual([]);
});

describe('a trigger as SQL', () => {
  it('says of any row of any table what the table says of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(transition, { minLength: 1, maxLength: 8 }), async (rows) => {
        const machine = machineOf(rows);
        for (const { status, one, other, may, to } of await asked(statusMove(machine, 'go', SQL), STATES)) {
          expect({ may, to }).toEqual({ may: takes(machine, status, 'go'), to: nextOrNull(machine, status, 'go', { one, other }) });
        }
      }),
      runs(0.25),
    );
  });

  it('says so for every trigger of the five lifecycles', async () => {
    for (const machine of machines) {
      for (const trigger of new Set(machine.transitions.map((row) => row.trigger))) {
        const names = [...new Set(machine.transitions.flatMap((row) => (row.trigger === trigger && row.guard ? [row.guard.name] : [])))];
        const guards = Object.fromEntries(names.map((name, n) => [name, ['x.yes', 'y.yes', 'not x.yes'][n] as string]));
        for (const { status, one, other, may, to } of await asked(statusMove(machine, trigger, guards), Object.keys(machine.states))) {
          const facts = Object.fromEntries(names.map((name, n) => [name, [one, other, !one][n] as boolean]));
          expect({ may, to }).toEqual({ may: takes(machine, status, trigger), to: nextOrNull(machine, status, trigger, facts) });
        }
      }
    }
  });

  it('writes nothing where the table has no row: the update fails', async () => {
    const { to } = statusMove(customerMachine, 'freeze');
    const update = db.transaction(async (tx) => {
      await tx.query(`create temporary table frozen (status text not null) on commit drop`);
      await tx.query(`insert into frozen values ('inactive')`);
      await tx.query(`update frozen set status = ${to}`);
    });
    await expect(update).rejects.toThrow(/null value in column "status"/);
  });

  it('is refused for a trigger without rows, and for a guard without SQL', () => {
    const machine: Machine = customerMachine;
    expect(() => statusMove(machine, 'melt')).toThrow('customer has no row for "melt"');
    expect(() => statusMove(invoiceMachine, 'validate', { nothingLeft: '$1' })).toThrow(
      '"validate" needs the SQL of the guard "somethingLeft"',
    );
  });
});
