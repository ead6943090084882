import type { Visit } from '../../../console/http/visit.ts';
import { isConsoleKey } from '../../../console/messages/pages.ts';
import { historyWords } from '../../../console/pages/kind-words.ts';
import { CONTRACT_HISTORY_KINDS } from '../../../services/contract/park.ts';
import { CUSTOMER_HISTORY_KINDS } from '../../../services/customer/history.ts';

describe('the words of the console', () => {
  it('name an event by its type, as the log of events is asked for it', () => {
    expect(historyWords({} as Visit, 'v1.usage_period.closed')).toBe('v1.usage_period.closed');
  });

  it.each([...CUSTOMER_HISTORY_KINDS, ...CONTRACT_HISTORY_KINDS])('name %s of a history', (kind) => {
    expect(isConsoleKey(`history.${kind}`)).toBe(true);
  });
});
