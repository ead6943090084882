import { isConsoleKey } from '../../../console/messages/pages.ts';
import { CONTRACT_HISTORY_KINDS } from '../../../services/contract/park.ts';
import { CUSTOMER_HISTORY_KINDS } from '../../../services/customer/history.ts';

describe('the words of the console', () => {
  it.each([...CUSTOMER_HISTORY_KINDS, ...CONTRACT_HISTORY_KINDS])('name %s of a history', (kind) => {
    expect(isConsoleKey(`history.${kind}`)).toBe(true);
  });
});
