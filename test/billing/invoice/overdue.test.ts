import { at } from '../../../billing/calendar/instant.ts';
import { isOverdue } from '../../../billing/invoice/overdue.ts';

test.each([
  ['2025-06-01', '2025-05-31T12:00:00Z', false],
  ['2025-06-01', '2025-06-01', false],
  ['2025-06-01', '2025-06-01T23:59:59.999Z', false],
  ['2025-06-01', '2025-06-02', true],
  ['2025-06-01T09:30:00Z', '2025-06-01T10:00:00Z', false],
  ['2025-06-01T09:30:00Z', '2025-06-02', true],
])('an invoice due at %s is overdue at %s: %s', (due, now, expected) => {
  expect(isOverdue(at(due), at(now))).toBe(expected);
});
