import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { ClockRecord } from '../../db/sql/clock/read-with-next-due.ts';
import type { TestClock } from '../schema/operating.ts';

export const clockToWire = (clock: ClockRecord): z.input<typeof TestClock> => ({
  id: clock.id,
  name: clock.name,
  now: iso(clock.now),
  status: clock.status,
  reason: clock.reason,
  next_due: clock.nextDue === null ? null : iso(clock.nextDue),
});
