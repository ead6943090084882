import { at } from '../../billing/calendar/instant.ts';
import { usagePeriod } from '../../billing/contract/period/periods.ts';
import { trialEndOf } from '../../billing/contract/period/time.ts';
import type { Story } from './story.ts';

/** Reports usage of `calls` in the period after the running one and makes its row, as the intake does. */
export function usesAhead(story: Story, date: string, units: string): void {
  const { ledger } = story;
  const contract = story.contract();
  const begun = { ...contract, start: contract.start ?? trialEndOf(contract, ledger.pauses) };
  const idx = (contract.currentIdx ?? 0) + 1;
  ledger.used.push({ contractId: contract.id, periodIdx: idx, slug: 'calls', timestamp: at(date), units, isAbsolute: false });
  const { start } = usagePeriod(begun, idx, 0, ledger.pauses);
  ledger.periods.set(`${contract.id}/${idx}`, usagePeriod(begun, idx, start, ledger.pauses));
}
