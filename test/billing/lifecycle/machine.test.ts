import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { contractMachine } from '../../../billing/lifecycle/contract.ts';
import { customerMachine } from '../../../billing/lifecycle/customer.ts';
import { machines, renderDiagram, renderDocument } from '../../../billing/lifecycle/diagram.ts';
import { invoiceMachine } from '../../../billing/lifecycle/invoice.ts';
import {
  type Facts,
  finalStates,
  initialState,
  LifecycleError,
  leadsTo,
  next,
  takes,
  triggersOf,
} from '../../../billing/lifecycle/machine.ts';
import { paymentAttemptMachine } from '../../../billing/lifecycle/payment-attempt.ts';
import { paymentGateMachine } from '../../../billing/lifecycle/payment-gate.ts';
import { paymentSessionMachine } from '../../../billing/lifecycle/payment-session.ts';
import { Refusal } from '../../../billing/refusal.ts';

import { runs } from '../../support/runs.ts';

const ahead: Facts = { activationAhead: true };
const reached: Facts = { activationReached: true };

test.each([
  ['not_ready', 'first_step_committed', reached, 'active'],
  ['not_ready', 'first_step_committed', ahead, 'scheduled'],
  ['not_ready', 'first_step_committed', { isPending: true }, 'pending'],
  ['not_ready', 'first_step_committed', { isPending: true, ...ahead, ...reached }, 'pending'],
  ['pending', 'activate', {}, 'scheduled'],
  ['pending', 'change', {}, 'moved'],
  ['pending', 'cancel', {}, 'canceled'],
  ['pending', 'expire', {}, 'canceled'],
  ['scheduled', 'activation_reached', {}, 'active'],
  ['scheduled', 'take_over', {}, 'active'],
  ['scheduled', 'replace', {}, 'canceled'],
  ['scheduled', 'change', {}, 'moved'],
  ['scheduled', 'cancel', {}, 'canceled'],
  ['active', 'change', {}, 'moved'],
  ['active', 'cancel', {}, 'canceled'],
  ['active', 'expire', {}, 'canceled'],
] as const)('contract: %s takes %s %j and is then %s', (from, trigger, facts, to) => {
  expect(next(contractMachine, from, trigger, facts)).toBe(to);
});

test.each([
  ['sign', {}, 'not_ready'],
  ['change', {}, 'scheduled'],
  ['replace_unstarted', { isPending: true }, 'pending'],
  ['replace_unstarted', ahead, 'scheduled'],
] as const)('contract: made by %s %j it is %s', (event, facts, to) => {
  expect(initialState(contractMachine, event, facts)).toBe(to);
});

test('each other noun is made in the state that its table says', () => {
  expect([initialState(invoiceMachine, 'issue'), initialState(invoiceMachine, 'issue_for_review')]).toEqual([
    'ready_for_payment',
    'pending_validation',
  ]);
  expect([initialState(paymentAttemptMachine, 'charge'), initialState(paymentAttemptMachine, 'record')]).toEqual([
    'processing',
    'succeeded',
  ]);
  expect([initialState(paymentSessionMachine, 'open'), initialState(customerMachine, 'create')]).toEqual(['pending', 'temporary']);
});

test('a start whose guard is not met is a typed error', () => {
  expect(() => initialState(contractMachine, 'replace_unstarted')).toThrow(
    expect.objectContaining({ name: 'LifecycleError', machine: 'contract', state: '[*]', trigger: 'replace_unstarted' }),
  );
});

test('contract: nothing leaves moved or canceled', () => {
  expect(finalStates(contractMachine)).toEqual(['moved', 'canceled']);
  expect(triggersOf(contractMachine, 'moved')).toEqual([]);
});

test.each([
  ['pending_validation', 'validate', { somethingLeft: true }, 'ready_for_payment'],
  ['pending_validation', 'validate', { nothingLeft: true }, 'paid'],
  ['pending_validation', 'void', {}, 'voided'],
  ['ready_for_payment', 'settle', { nothingLeft: true }, 'paid'],
  ['ready_for_payment', 'settle', { somethingLeft: true }, 'ready_for_payment'],
  ['ready_for_payment', 'credit', { nothingLeft: true }, 'paid'],
  ['ready_for_payment', 'credit', { somethingLeft: true }, 'ready_for_payment'],
  ['paid', 'settle', { nothingLeft: true }, 'paid'],
] as const)('invoice: %s takes %s %j and is then %s', (from, trigger, facts, to) => {
  expect(next(invoiceMachine, from, trigger, facts)).toBe(to);
});

test.each([
  ['pending', 'succeed', 'succeeded'],
  ['pending', 'fail', 'failed'],
  ['pending', 'expire', 'expired'],
] as const)('payment session: %s takes %s and is then %s', (from, trigger, to) => {
  expect(next(paymentSessionMachine, from, trigger)).toBe(to);
});

test.each([
  ['waiting', 'succeed', 'succeeded'],
  ['waiting', 'refuse', 'failed'],
  ['waiting', 'expire', 'expired'],
  ['waiting', 'drop', 'dropped'],
] as const)('payment gate: %s takes %s and is then %s, and nothing leaves that', (from, trigger, to) => {
  expect(next(paymentGateMachine, from, trigger)).toBe(to);
  expect(triggersOf(paymentGateMachine, to)).toEqual([]);
});

test.each([
  ['processing', 'wait', 'processing'],
  ['processing', 'confirm', 'succeeded'],
  ['processing', 'refuse', 'failed'],
  ['processing', 'drop', 'failed'],
  ['failed', 'confirm', 'succeeded'],
] as const)('payment attempt: %s takes %s and is then %s', (from, trigger, to) => {
  expect(next(paymentAttemptMachine, from, trigger)).toBe(to);
});

test.each([
  ['temporary', 'activate', 'active'],
  ['temporary', 'freeze', 'inactive'],
  ['active', 'freeze', 'inactive'],
  ['inactive', 'activate', 'active'],
] as const)('customer: %s takes %s and is then %s', (from, trigger, to) => {
  expect(next(customerMachine, from, trigger)).toBe(to);
});

test('a pair without a row is a typed error that says what is possible', () => {
  expect(() => next(invoiceMachine, 'pending_validation', 'settle')).toThrow(
    new LifecycleError(
      'invoice',
      'pending_validation',
      'settle',
      'invoice in "pending_validation" doesn\'t take "settle"; possible are validate, void',
    ),
  );
  expect(() => next(contractMachine, 'moved', 'cancel')).toThrow('contract in "moved" doesn\'t take "cancel"; nothing leaves that state');
});

test('a row whose guard does not hold says what would be needed', () => {
  expect(() => next(invoiceMachine, 'ready_for_payment', 'settle')).toThrow(
    'invoice in "ready_for_payment" takes "settle" only if nothing is left to pay or something is left to pay',
  );
  expect(() => next(invoiceMachine, 'paid', 'settle', { nothingLeft: false })).toThrow(LifecycleError);
});

test('the error is a refusal without a field to mend and keeps machine, state and trigger', () => {
  const error = new LifecycleError('invoice', 'paid', 'void', 'no');
  expect(error).toBeInstanceOf(Refusal);
  expect(error).toMatchObject({ name: 'LifecycleError', machine: 'invoice', state: 'paid', trigger: 'void' });
  expect(error).toMatchObject({ code: 'not_possible_in_state', message: 'no', field: null });
});

test('takes tells whether a state knows a trigger, whatever the guards', () => {
  expect(takes(contractMachine, 'pending', 'activate')).toBe(true);
  expect(takes(contractMachine, 'canceled', 'change')).toBe(false);
});

describe.each(machines.map((machine) => [machine.name, machine] as const))('every row of the %s', (_, machine) => {
  const states = Object.keys(machine.states);

  test('names known states, and every state can be reached from a start', () => {
    for (const { from, to } of machine.transitions) expect([states.includes(from), states.includes(to)]).toEqual([true, true]);
    const found = new Set(machine.starts.map(({ to }) => to));
    for (let before = -1; before < found.size; ) {
      before = found.size;
      for (const { from, to } of machine.transitions) if (found.has(from)) found.add(to);
    }
    expect([...found].sort()).toEqual([...states].sort());
  });

  test('of one state and trigger is distinguished by its guard', () => {
    const keys = machine.transitions.map(({ from, trigger, guard }) => `${from} ${trigger} ${guard?.name ?? ''}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('is the only way: any walk of random triggers stays within the table', () => {
    const triggers = [...new Set(machine.transitions.map(({ trigger }) => trigger)), 'nonsense'];
    const facts = Object.fromEntries(machine.transitions.flatMap(({ guard }) => (guard ? [[guard.name, true]] : [])));
    fc.assert(
      fc.property(fc.constantFrom(...states), fc.array(fc.constantFrom(...triggers), { maxLength: 12 }), (start, walk) => {
        let state = start;
        for (const trigger of walk) {
          if (takes(machine, state, trigger)) state = next(machine, state, trigger, facts);
          else expect(() => next(machine, state, trigger, facts)).toThrow(LifecycleError);
          expect(states).toContain(state);
        }
      }),
      runs(0.1),
    );
  });
});

test('a diagram shows starts, rows with their guards, and ends', () => {
  expect(renderDiagram(invoiceMachine).split('\n')).toEqual([
    'stateDiagram-v2',
    '  [*] --> pending_validation: invoice trigger manual',
    '  [*] --> ready_for_payment: invoice trigger immediate',
    '  pending_validation --> paid: validate [nothing is left to pay]',
    '  pending_validation --> ready_for_payment: validate [something is left to pay]',
    '  pending_validation --> voided: void',
    '  ready_for_payment --> paid: settle [nothing is left to pay]',
    '  ready_for_payment --> ready_for_payment: settle [something is left to pay]',
    '  ready_for_payment --> paid: credit [nothing is left to pay]',
    '  ready_for_payment --> ready_for_payment: credit [something is left to pay]',
    '  paid --> paid: settle [nothing is left to pay]',
    '  paid --> [*]',
    '  voided --> [*]',
  ]);
});

test('docs/lifecycle.md is what the tables say', () => {
  const written = readFileSync(new URL('../../../docs/lifecycle.md', import.meta.url), 'utf8');
  expect(written).toBe(renderDocument(machines));
});

describe('one state leads to another', () => {
  it.each([
    ['scheduled', 'active', true],
    ['active', 'active', true],
    ['active', 'scheduled', false],
    ['active', 'not_ready', false],
    ['moved', 'active', false],
  ] as const)('%s to %s: %s', (from, to, expected) => {
    expect(leadsTo(contractMachine, from, to)).toBe(expected);
  });
});
