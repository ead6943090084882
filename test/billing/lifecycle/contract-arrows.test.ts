import { at } from '../../../billing/calendar/instant.ts';
import type { Pause } from '../../../billing/calendar/pauses.ts';
import { planActivation } from '../../../billing/contract/advance/activate.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { planFreeze, planUnfreeze } from '../../../billing/contract/advance/freeze.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planSigning } from '../../../billing/contract/terms/sign.ts';
import type { ContractStatus } from '../../../billing/contract/types.ts';
import { contractMachine } from '../../../billing/lifecycle/contract.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { contractOf, countingIds, emptyLedger, snapshotOf, write } from '../../support-billing/ledger.ts';
import { type SignWords, type Story, signRequestOf, signs } from '../../support-billing/story.ts';

type Arrow = [from: ContractStatus | '[*]', to: ContractStatus];

const SMALL = planOffer('small', { price: '40' });
const LARGE = planOffer('large', { price: '100' });
const AHEAD: SignWords = { activation: '2025-02-01' };
const PENDING: SignWords = { isPending: true };

const status = (story: Story, id: string): ContractStatus => contractOf(story.ledger, id).status;

/** What an act makes of a contract. */
function arrow(story: Story, act: () => void, id = story.id()): Arrow {
  const from = status(story, id);
  act();
  return [from, status(story, id)];
}

const FROZEN: Pause = { from: at('2025-01-02'), to: at('2025-01-20') };

/** What the first step makes of a contract signed on 1 January, or later by a customer who was frozen before. */
function firstStep(words: SignWords, pause: Pause | null = null, date = '2025-01-01'): Arrow {
  const ledger = { ...emptyLedger(), pauses: pause === null ? [] : [pause] };
  const newId = countingIds();
  const { contract } = planSigning(signRequestOf(LARGE, words), at(date), { newId });
  ledger.contracts.set(contract.id, contract);
  write(ledger, advance(snapshotOf(ledger, contract.id, at(date)), at(date), newId));
  return [contract.status, contractOf(ledger, contract.id).status];
}

/** The contract a change makes; it may have taken over at once. */
function made(story: Story, offer = SMALL): Arrow {
  return ['[*]', status(story, changes(story, '2025-01-10', changeToPlan(offer)).newContractId)];
}

function canceled(story: Story, date: string): Arrow {
  const now = { when: { type: 'now' }, credit: false, notes: null } as const;
  return arrow(story, () => story.does(date, (snapshot, instant, newId) => planCancellation(snapshot, now, instant, newId)));
}

/** What becomes of the scheduled contract of a downgrade by 1 February. */
function successor(act: (story: Story) => void): Arrow {
  const story = signs('2025-01-01', LARGE);
  const { newContractId } = changes(story, '2025-01-10', changeToPlan(SMALL));
  return arrow(story, () => act(story), newContractId);
}

const signed = (words: SignWords = {}): Story => signs('2025-01-01', LARGE, words);
const changed = (story: Story): Arrow =>
  arrow(story, () => changes(story, '2025-01-10', changeToPlan(planOffer('other', { price: '300' }))), story.id());
const passed = (story: Story, date: string): Arrow => arrow(story, () => story.advance(date));

const STORIES: Record<string, () => Arrow> = {
  'sign: [*] to not_ready': () => ['[*]', planSigning(signRequestOf(LARGE), at('2025-01-01'), { newId: countingIds() }).contract.status],
  'change: [*] to scheduled': () => made(signed()),
  'replace_unstarted: [*] to pending': () => made(signed(PENDING)),
  'replace_unstarted: [*] to scheduled': () => made(signed(AHEAD)),
  'first_step_committed: not_ready to pending': () => firstStep(PENDING),
  'first_step_committed: not_ready to scheduled': () => firstStep(AHEAD),
  'first_step_committed: not_ready to active': () => firstStep({}),
  'expire: not_ready to canceled': () => firstStep({ activation: '2025-01-05', expiration: '2025-01-10' }, FROZEN, '2025-01-25'),
  'activate: pending to scheduled': () => {
    const story = signed(PENDING);
    return arrow(story, () => story.does('2025-01-10', (snapshot, now, newId) => planActivation(snapshot, at('2025-01-20'), now, newId)));
  },
  'change: pending to moved': () => changed(signed(PENDING)),
  'cancel: pending to canceled': () => canceled(signed(PENDING), '2025-01-10'),
  'expire: pending to canceled': () => passed(signed({ ...PENDING, expiration: '2025-01-20' }), '2025-01-20'),
  'activation_reached: scheduled to active': () => passed(signed(AHEAD), '2025-02-01'),
  'take_over: scheduled to active': () => successor((story) => story.advance('2025-02-01')),
  'replace: scheduled to canceled': () =>
    successor((story) => changes(story, '2025-01-20', changeToPlan(planOffer('tiny', { price: '10' })))),
  'change: scheduled to moved': () => changed(signed(AHEAD)),
  'cancel: scheduled to canceled': () => canceled(signed(AHEAD), '2025-01-10'),
  'expire: scheduled to canceled': () => {
    const words: SignWords = { activation: '2025-01-10', expiration: '2025-01-12', vendorPauseRules: { expiration: 'run_on' } };
    const story = signed(words);
    story.ledger.pauses = story.does('2025-01-05', planFreeze).snapshot.customer.pauses;
    return arrow(story, () => {
      story.ledger.pauses = story.does('2025-01-20', planUnfreeze).snapshot.customer.pauses;
      story.advance('2025-01-20');
    });
  },
  'change: active to moved': () => changed(signed()),
  'cancel: active to canceled': () => canceled(signed(), '2025-01-10'),
  'expire: active to canceled': () => passed(signed({ expiration: '2025-01-20' }), '2025-01-20'),
};

test('every arrow of the contract has a story in which it happens', () => {
  const { starts, transitions } = contractMachine;
  const arrows = [
    ...starts.map(({ event, to }) => `${event}: [*] to ${to}`),
    ...transitions.map(({ from, trigger, to }) => `${trigger}: ${from} to ${to}`),
  ];
  expect(Object.keys(STORIES)).toEqual(arrows);
});

test.each(Object.entries(STORIES))('%s', (name, story) => {
  const [from, to] = story();
  expect(name.split(': ')[1]).toBe(`${from} to ${to}`);
});
