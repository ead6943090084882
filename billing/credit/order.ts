import type { Grant } from './types.ts';

/**
 * Grants in the order of their use: the smallest priority number, then what expires first (what never does comes last),
 * then what was given before what was bought, then what became effective first, then the smallest id.
 *
 * @example
 * const one = { kind: 'promotional', priority: 50, effectiveAt: at('2025-01-01') };
 * const late = { ...one, id: 'Grant_1', expiresAt: at('2025-07-01') };
 * const soon = { ...one, id: 'Grant_2', expiresAt: at('2025-02-01') };
 * const never = { ...one, id: 'Grant_3', expiresAt: null };
 * const first = { ...never, id: 'Grant_4', priority: 0 };
 * const bought = { ...late, id: 'Grant_0', kind: 'purchased' };
 * inOrderOfUse([never, bought, late, soon, first]).map(({ id }) => id) // ['Grant_4', 'Grant_2', 'Grant_1', 'Grant_0', 'Grant_3']
 */
export function inOrderOfUse<T extends Pick<Grant, 'id' | 'kind' | 'priority' | 'effectiveAt' | 'expiresAt'>>(grants: readonly T[]): T[] {
  return [...grants].sort(
    (a, b) =>
      a.priority - b.priority ||
      compare(a.expiresAt ?? Number.POSITIVE_INFINITY, b.expiresAt ?? Number.POSITIVE_INFINITY) ||
      Number(a.kind === 'purchased') - Number(b.kind === 'purchased') ||
      a.effectiveAt - b.effectiveAt ||
      (a.id < b.id ? -1 : 1),
  );
}

// two that never expire are equal, and the difference of two infinities is no number
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);
