import { v7 } from 'uuid';

/** A new id: prefix, underscore, UUID version 7, so that ids sort by the time they were made. */
export function newId(prefix: string): string {
  return `${prefix}_${v7()}`;
}
