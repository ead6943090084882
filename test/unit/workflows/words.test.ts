import { at } from '../../../billing/calendar/instant.ts';
import { detailsText } from '../../../workflows/contract/words.ts';
import type { Schedule } from '../../../workflows/messages.ts';

const schedule: Schedule = {
  contractId: 'Cont_2',
  vendorId: 'Wbc_1',
  customerId: 'Cust_1',
  planId: 'Plan_1',
  planSlug: 'pro',
  clockId: 'Clock_1',
  predecessorId: 'Cont_1',
  successorId: null,
  status: 'active',
  frozen: false,
  periodIdx: 1,
  parked: null,
  over: false,
  due: [
    { at: at('2026-02-10'), kind: 'usage_closing', detail: { idx: 1 } },
    { at: at('2026-02-10'), kind: 'boundary', detail: { idx: 2 } },
  ],
};

test('the Temporal UI shows a list only behind a blank line, and cuts off the last paragraph: that one is empty', () => {
  expect(detailsText(schedule).split('\n\n')).toEqual([
    'Plan **pro** (`Plan_1`) of `Cust_1`: **active**, period 1',
    'Followed `Cont_1`.',
    'What happens next:',
    '- 2026-02-10: usage of period 1 closes\n- 2026-02-10: period 2 begins',
    'Lives on the test clock `Clock_1`.',
    '\u00a0',
  ]);
});
