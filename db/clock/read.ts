import type { EntityManager } from '@mikro-orm/postgresql';
import { TestClock, type TestClockRecord } from '../entities/vendor.ts';

export type ClockState = Pick<TestClockRecord, 'id' | 'vendorId' | 'now' | 'target' | 'status' | 'reason'>;

export const readClock = (em: EntityManager, id: string): Promise<ClockState | null> => em.findOne(TestClock, { id });

export const isOwnClock = async (em: EntityManager, vendorId: string, id: string): Promise<boolean> =>
  (await em.count(TestClock, { id, vendorId })) > 0;
