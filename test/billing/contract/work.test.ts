import { at } from '../../../billing/calendar/instant.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planOnDemand } from '../../../billing/contract/charge/on-demand.ts';
import { invoiceFresh } from '../../../billing/contract/invoice-fresh.ts';
import { usagePeriod } from '../../../billing/contract/period/periods.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { planSigning } from '../../../billing/contract/terms/sign.ts';
import type { Outcome } from '../../../billing/contract/types.ts';
import { amend, finish, putContract, putPeriod, touch } from '../../../billing/contract/work.ts';
import { chargeLines } from '../../../billing/invoice/charge.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { countingIds, emptyLedger, snapshotOf } from '../../support-billing/ledger.ts';
import { type SignWords, signRequestOf, signs } from '../../support-billing/story.ts';
import { workOn } from '../example-scope.ts';
import { charge, context } from '../invoice/build.ts';

const metered = planOffer('pro', { price: '30', features: { calls: usagePrice('1') } });
const onTheTenth = (offer: Offer = metered, words: SignWords = {}) => workOn(signs('2025-06-01', offer, words), '2025-06-10');

/** The first step of a contract, from nothing. */
function begins(offer: Offer, words: SignWords = {}): Outcome {
  const ledger = emptyLedger();
  const newId = countingIds();
  const { contract } = planSigning(signRequestOf(offer, words), at('2025-06-01'), { newId });
  ledger.contracts.set(contract.id, contract);
  return advance(snapshotOf(ledger, contract.id, at('2025-06-01')), at('2025-06-01'), newId);
}

describe('contracts at work', () => {
  test('one that is neither the snapshot’s own nor its successor changes neither', () => {
    const work = onTheTenth();
    const { contract } = work.snapshot;
    putContract(work, { ...contract, id: 'Cont_other' });
    expect(work.snapshot).toMatchObject({ contract: { id: contract.id }, successor: null });
    expect([...work.contracts.keys()]).toEqual(['Cont_other']);
  });

  test('one that has been changed stays as it is when it is touched', () => {
    const work = onTheTenth();
    const { contract } = work.snapshot;
    amend(work, { currentIdx: 7 });
    touch(work, contract);
    expect(finish(work).effects.contracts).toMatchObject([{ currentIdx: 7 }]);
  });
});

test('periods stay in their order, whichever is changed', () => {
  const work = onTheTenth();
  const { contract } = work.snapshot;
  putPeriod(work, usagePeriod(contract, 3, at('2025-08-01'), []));
  putPeriod(work, usagePeriod(contract, 2, at('2025-07-01'), []));
  expect(work.snapshot.periods.map(({ idx }) => idx)).toEqual([1, 2, 3]);
});

describe('what a contract is invoiced', () => {
  const now = at('2025-06-10');

  test('nothing is nothing: no invoice, and the contract isn’t written', () => {
    const work = onTheTenth();
    expect(invoiceFresh(work, work.snapshot.contract, now)).toBeNull();
    expect(finish(work).effects).toMatchObject({ contracts: [], invoices: [], agenda: [] });
  });

  test('a report on demand: the contract is written with its invoice, and its agenda with it', () => {
    const story = signs('2025-06-01', planOffer('pro', { price: '30', features: { report: ['on_demand', price('5')] } }));
    const { effects } = planOnDemand(snapshotOf(story.ledger, story.id(), now), { slug: 'report', units: null }, now, story.newId);
    expect(effects.contracts.map(({ id }) => id)).toEqual([story.id()]);
    expect(effects.agenda.map(({ contractId }) => contractId)).toEqual([story.id()]);
  });

  test('a usage line for no units has no invoice and is marked', () => {
    const story = signs('2025-06-01', planOffer('api', { price: null, features: { calls: usagePrice('1') } }));
    const { effects } = advance(snapshotOf(story.ledger, story.id(), at('2025-07-01')), at('2025-07-01'), story.newId);
    expect(effects.lines).toMatchObject([{ kind: 'usage', idle: true }]);
    expect(effects.invoices).toEqual([]);
  });
});

describe('what may be given back later in the same run', () => {
  const all = planOffer('all', {
    price: '30',
    features: { calls: usagePrice('1'), support: ['year', price('365')], setup: ['first_cycle', price('9')] },
  });
  const running = ({ snapshot }: Outcome) => snapshot.running.map(({ source }) => source);
  const waiting = ({ snapshot }: Outcome) => snapshot.waiting.map(({ source }) => source);

  test('lines of a cycle and of a year, not what is charged once', () => {
    expect(running(begins(all))).toEqual(['plan', 'feature:support']);
    expect(running(begins(planOffer('once', { price: '30', cycle: 'once' })))).toEqual([]);
  });

  test('no usage, though its period was closed by hand while it ran', () => {
    const story = signs('2025-06-01', metered);
    story.uses('2025-06-05', 'calls', '3');
    const outcome = story.does('2025-06-10', (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId));
    expect(outcome.effects.lines.map(({ source, span }) => [source, span?.end])).toEqual([['feature:calls', at('2025-07-01')]]);
    expect(running(outcome)).toEqual(['plan']);
  });

  test('nothing of another contract’s lines', () => {
    const work = onTheTenth();
    const other = { ...work.snapshot.contract, id: 'Cont_other' };
    work.fresh.push(...chargeLines([charge(price('5'), { contractId: other.id })], context()));
    invoiceFresh(work, other, at('2025-06-10'));
    expect(work.snapshot.running.map(({ contractId }) => contractId)).toEqual([work.snapshot.contract.id]);
  });

  test('lines wait for an invoice only where they are invoiced by hand', () => {
    expect(waiting(begins(all))).toEqual([]);
    expect(waiting(begins(all, { configuration: { invoiceTrigger: 'manual' } }))).toEqual(['plan', 'feature:setup', 'feature:support']);
  });
});
