import { hash } from 'node:crypto';
import type { KeyScope } from '../entities/vendor.ts';

export interface KeyRecord {
  id: string;
  vendorId: string;
  hash: string;
  scope: KeyScope;
}

/** Keys are random, so one round of SHA-256 keeps them as safe as a slow hash would. */
export const hashKey = (key: string): string => hash('sha256', key);
