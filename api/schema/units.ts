import type { z } from 'zod';

type Counts = Readonly<Record<string, string>> | null | undefined;
type Entries = Readonly<Record<string, { units?: string | null | undefined; unit_count?: string | null | undefined }>> | null | undefined;

/**
 * The units of a feature can be given in several places, but only one number of them: of two the caller means one, and
 * nobody knows which.
 *
 * @param place of the entries in the body
 */
export function requireSameUnits(counts: Counts, entries: Entries, place: string, context: z.RefinementCtx): void {
  for (const [slug, entry] of Object.entries(entries ?? {})) {
    const counted = counts && Object.hasOwn(counts, slug) ? counts[slug] : null;
    const given = [
      { name: `unit_count_configuration.${slug}`, field: null, units: counted },
      { name: 'units', field: 'units', units: entry.units },
      { name: 'unit_count', field: 'unit_count', units: entry.unit_count },
    ].filter(({ units }) => units != null);
    const [first, ...others] = given;
    for (const { field, units } of others) {
      if (first === undefined || field === null || units === first.units) continue;
      const message = `must be ${first.units} as in ${first.name}: give the units once`;
      context.addIssue({ code: 'custom', path: [place, slug, field], message });
    }
  }
}
