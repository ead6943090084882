import { at } from '../../../billing/calendar/instant.ts';
import { detailsText, summaryText, waitingText } from '../../../workflows/contract/words.messages.ts';
import type { ChainContract, Schedule } from '../../../workflows/messages.ts';

const contract: ChainContract = {
  contractId: 'Cont_2',
  status: 'active',
  planId: 'Plan_1',
  planSlug: 'pro',
  periodIdx: 1,
  parked: null,
  isLive: true,
};

const schedule: Schedule = {
  chainId: 'Cont_1',
  vendorId: 'Wbc_1',
  customerId: 'Cust_1',
  clockId: 'Clock_1',
  isFrozen: false,
  resumesAt: null,
  contracts: [contract, { ...contract, contractId: 'Cont_1', status: 'moved', isLive: false }],
  due: [
    { at: at('2026-02-10'), kind: 'usage_closing', contractId: 'Cont_2', subject: 'Cont_2:1', detail: { idx: 1 } },
    { at: at('2026-02-10'), kind: 'boundary', contractId: 'Cont_2', subject: 'Cont_2', detail: { idx: 2 } },
  ],
  wakeAt: at('2026-02-10'),
  isLeft: false,
  signals: 0,
  hasEnded: false,
  done: [{ at: at('2026-01-10'), what: 'invoice.created', object: 'Inv_1', by: 'bill_run' }],
  seen: '1',
  bundle: 'one',
};

test('the Temporal UI shows a list only behind a blank line, and cuts off the last paragraph: that one is empty', () => {
  expect(detailsText(schedule).split('\n\n')).toEqual([
    'Contracts of `Cust_1`:',
    '- `Cont_2`, plan **pro** (`Plan_1`): **active**, period 1\n- `Cont_1`, plan **pro** (`Plan_1`): **moved**, period 1',
    'What happens next:',
    '- 2026-02-10: usage of period 1 closes\n- 2026-02-10: period 2 starts',
    'Done lately:',
    '- 2026-01-10: invoice.created of `Inv_1`, by bill run',
    "Cancel has no effect on this workflow: call the API's cancel. After Terminate, `npm run reconcile` starts it again.",
    'On the test clock `Clock_1`, which does what is due.',
    '\u00a0',
  ]);
});

test.each<[string, Partial<Schedule>]>([
  ['2026-02-10: usage of period 1 closes, period 2 starts', {}],
  [
    '2026-02-10: usage of period 1 closes, period 2 starts (with many others; this workflow looks at 2026-02-10 00:00:07Z)',
    { wakeAt: at('2026-02-10') + 7_000 },
  ],
  ['nothing is due; waits for a change', { due: [] }],
  ['the customer is frozen; waits for the activation', { due: [], isFrozen: true }],
  ['the customer is frozen until 2026-03-01; waits for the activation', { due: [], isFrozen: true, resumesAt: at('2026-03-01') }],
  ['Cont_2 is parked and waits to be resumed', { due: [], contracts: [{ ...contract, parked: 'no number' }] }],
  ['everything has ended', { due: [], hasEnded: true }],
])('a chain waits in words: %s', (words, part) => {
  expect(waitingText({ ...schedule, ...part })).toBe(words);
});

test('what waits for a call says which: usage that is closed by hand, a contract that is pending', () => {
  const closed = { ...contract, status: 'canceled' as const, isLive: false, unclosedIdx: 1 };
  expect(waitingText({ ...schedule, due: [], contracts: [closed] })).toBe('nothing is due; usage of Cont_2 waits to be closed by a call');
  expect(detailsText({ ...schedule, due: [], contracts: [closed] })).toContain(
    '**canceled**, period 1, usage waits to be closed by a call, first that of period 1\n\nNothing is due; usage of Cont_2 waits to be closed by a call.\n\n',
  );
  expect(detailsText({ ...schedule, contracts: [{ ...contract, unclosedIdx: 0 }] })).toContain(
    '**active**, period 1, usage waits to be closed by a call, first that of the free trial\n\nWhat happens next:',
  );
  const pending = { ...contract, status: 'pending' as const, periodIdx: null };
  expect(waitingText({ ...schedule, due: [], contracts: [pending] })).toBe('nothing is due; Cont_2 waits to be activated by a call');
  expect(detailsText({ ...schedule, due: [], contracts: [pending] })).toContain('Nothing is due; Cont_2 waits to be activated by a call.');
  expect(detailsText({ ...schedule, due: [], hasEnded: true })).toContain('Everything has ended.');
});

test('what waits for a call says which: an invoice that nobody has validated, charges without an invoice', () => {
  const drafted = { ...contract, draftId: 'Inv_7', isUninvoiced: false };
  expect(waitingText({ ...schedule, due: [], contracts: [drafted] })).toBe('nothing is due; invoice Inv_7 waits to be validated by a call');
  expect(detailsText({ ...schedule, contracts: [drafted] })).toContain(
    '**active**, period 1, invoice `Inv_7` waits to be validated by a call\n\nWhat happens next:',
  );
  const uninvoiced = { ...contract, draftId: null, isUninvoiced: true };
  expect(waitingText({ ...schedule, due: [], contracts: [uninvoiced] })).toBe(
    'nothing is due; charges of Cont_2 wait for an invoice that a call makes',
  );
  expect(detailsText({ ...schedule, contracts: [{ ...uninvoiced, draftId: 'Inv_7', unclosedIdx: 1 }] })).toContain(
    'first that of period 1, invoice `Inv_7` waits to be validated by a call, charges wait for an invoice that a call makes\n\n',
  );
  expect(detailsText({ ...schedule, due: [], contracts: [drafted], hasEnded: true })).toContain(
    'Everything has ended; invoice Inv_7 waits to be validated by a call.',
  );
});

test('a freeze that ends by itself says when, and which workflow ends it', () => {
  const frozen = { ...schedule, due: [], isFrozen: true };
  expect(detailsText(frozen)).toContain('is frozen: no period starts, nothing is collected, until the customer is activated.');
  expect(detailsText({ ...frozen, resumesAt: at('2026-03-01T08:30:00Z') })).toContain(
    'nothing is collected, until 2026-03-01 08:30:00Z, when `customer:Cust_1` activates the customer.',
  );
});

const retry = (n: number) => ({
  at: at('2026-01-04'),
  kind: 'payment_retry',
  contractId: 'Cont_2',
  subject: `Inv_${n}`,
  detail: { invoice_id: `Inv_${n}`, retry: 2, retries: 4 },
});

test('a contract with an invoice threshold says that its usage is invoiced early; answers of older workers don’t', () => {
  const [first, second] = schedule.contracts as [ChainContract, ChainContract];
  const contracts = [
    { ...first, hasThreshold: true },
    { ...second, hasThreshold: false },
  ];
  expect(detailsText({ ...schedule, contracts }).split('\n\n')[1]).toBe(
    '- `Cont_2`, plan **pro** (`Plan_1`): **active**, period 1, usage is invoiced each time it comes to the invoice threshold\n' +
      '- `Cont_1`, plan **pro** (`Plan_1`): **moved**, period 1',
  );
  expect(detailsText(schedule)).not.toContain('threshold');
});

test('what has failed to be paid stands in the details, by the workflow of its last try', () => {
  const dunned = [
    { invoiceId: 'Inv_1', failures: 1, retries: 4, givenUp: false, attemptId: 'Pay_1' },
    { invoiceId: 'Inv_2', failures: 5, retries: 4, givenUp: true, attemptId: 'Pay_9' },
  ];
  const text = detailsText({ ...schedule, dunned, due: [retry(1)] });
  expect(text).toContain('What happens next:\n\n- 2026-01-04: invoice Inv_1 is charged again, retry 2 of 4\n\nUnpaid:\n\n');
  expect(text).toContain('- invoice `Inv_1`: 1 try has failed, the last is `payment:Pay_1`\n');
  expect(text).toContain('- invoice `Inv_2`: 5 tries have failed, the last is `payment:Pay_9`; no further one comes by itself\n');
});

test('a provider that needs time is asked by the attempt, and a retry of older workers has no number', () => {
  const answer = {
    at: at('2026-01-04'),
    kind: 'payment_answer',
    contractId: null,
    subject: 'Inv_1',
    detail: { invoice_id: 'Inv_1', payment_id: 'Pay_1' },
  };
  expect(waitingText({ ...schedule, wakeAt: null, due: [answer] })).toBe(
    '2026-01-04: invoice Inv_1 is asked about at its provider, by payment:Pay_1',
  );
  const old = { ...retry(1), detail: { invoice_id: 'Inv_1' } };
  expect(waitingText({ ...schedule, wakeAt: null, due: [old] })).toBe('2026-01-04: invoice Inv_1 is charged again');
});

test('a summary of a timer is never longer than Temporal takes, however much is due together', () => {
  const due = Array.from({ length: 8 }, (_, n) => retry(n)).map((one) => ({
    ...one,
    detail: { ...one.detail, invoice_id: `Inv_${'0'.repeat(36)}` },
  }));
  expect(waitingText({ ...schedule, due }).length).toBeGreaterThan(400);
  expect(summaryText({ ...schedule, due })).toMatch(/^2026-01-04: invoice Inv_0.* \.\.\.$/);
  expect(summaryText({ ...schedule, due })).toHaveLength(300);
  expect(summaryText(schedule)).toBe(waitingText(schedule));
});
