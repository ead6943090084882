import type { Paginated } from './cursor.ts';

/**
 * Reads a page whose rows together are not too long, since making a page holds up all other requests. If they are too
 * long, it is read as if fewer rows had been asked for, so that its cursors lead to the others.
 *
 * @param fits how many of these rows fit on a page, at least one
 */
export async function fittingPage<R>(
  read: (limit?: number) => Promise<Paginated<R>>,
  fits: (rows: readonly R[]) => Promise<number>,
): Promise<Paginated<R>> {
  const asked = await read();
  const most = await fits(asked.hits);
  return most < asked.hits.length ? read(most) : asked;
}

/** How long some rows are together, and the longest of them, in any unit. */
export interface Lengths {
  total: number;
  longest: number;
}

/** How many of so many rows fit, whichever they are: the cursor may lead to either end of them. */
export const howManyFit = (count: number, { total, longest }: Lengths, most: number): number =>
  total <= most ? count : Math.max(1, Math.floor(most / longest));
