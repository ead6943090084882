import type { ChainActivityInput, ChainDue, Schedule } from '../../workflows/messages.ts';

/** What a chain with one active contract reads, as its activities answer it in place of the program's. */
export const chainSchedule = (
  { chainId, signals }: ChainActivityInput,
  due: ChainDue[],
  answered: Partial<Schedule> & Pick<Schedule, 'vendorId'>,
): Schedule => ({
  chainId,
  customerId: 'Cust_1',
  clockId: null,
  isFrozen: false,
  resumesAt: null,
  contracts: [{ contractId: chainId, status: 'active', planId: 'Plan_1', planSlug: 'pro', periodIdx: 1, parked: null, isLive: true }],
  due,
  wakeAt: due[0]?.at ?? null,
  isLeft: false,
  hasEnded: due.length === 0,
  done: [],
  seen: '1',
  bundle: 'of-the-test',
  signals,
  ...answered,
});
