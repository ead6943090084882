import fc from 'fast-check';
import type { ContractStatus } from '../../../billing/contract/types.ts';
import { contractMachine } from '../../../billing/lifecycle/contract.ts';
import { leadsTo } from '../../../billing/lifecycle/machine.ts';
import { runs } from '../../support/runs.ts';
import { diaries, lives } from '../contract/random.ts';

test('whatever happens, a contract is born and changes as its table says', () => {
  const born = contractMachine.births.map(({ to }) => to);
  fc.assert(
    fc.property(diaries(), (diary) => {
      const before = new Map<string, ContractStatus>();
      lives(diary, ({ ledger }) => {
        for (const { id, status } of ledger.contracts.values()) {
          const from = before.get(id);
          const ways = from === undefined ? born : [from];
          // a deed may take several steps, such as an end of trial and a change
          expect(ways.some((way) => reaches(way, status))).toBe(true);
          before.set(id, status);
        }
      });
    }),
    runs(0.1),
  );
});

function reaches(from: ContractStatus, to: ContractStatus): boolean {
  const found = new Set([from]);
  for (const state of found) {
    for (const { from: one, to: other } of contractMachine.transitions) if (one === state) found.add(other);
  }
  return found.has(to);
}

test('nothing comes back: moved and canceled lead nowhere', () => {
  expect(leadsTo(contractMachine, 'scheduled', 'active')).toBe(true);
  expect(leadsTo(contractMachine, 'moved', 'active')).toBe(false);
  expect(leadsTo(contractMachine, 'canceled', 'canceled')).toBe(true);
});
