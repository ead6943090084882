import type { EntityManager } from '@mikro-orm/postgresql';
import { Customer } from '../entities/customer.ts';
import type { CustomerRecord } from './customer.ts';

export const readCustomer = (em: EntityManager, vendorId: string, id: string): Promise<CustomerRecord | null> =>
  em.findOne(Customer, { id, vendorId });

export const readCustomers = (em: EntityManager, vendorId: string, ids: readonly string[]): Promise<CustomerRecord[]> =>
  em.find(Customer, { id: { $in: [...ids] }, vendorId });
