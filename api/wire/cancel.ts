import type { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import type { CancelRequest as Cancellation } from '../../billing/contract/change/cancel.ts';
import type { CancelRequest } from '../schema/contract.ts';

export const cancelFromWire = ({ when, credit, notes }: z.output<typeof CancelRequest>): Cancellation => ({
  when: when.type === 'date' ? { type: 'date', date: at(when.date, 'when.date') } : { type: when.type },
  credit: credit ?? false,
  notes: notes ?? null,
});
