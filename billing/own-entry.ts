/**
 * What a record has under a key that somebody chose, such as a feature's slug. A name that every object has, such as
 * `constructor`, is no entry.
 *
 * @returns undefined where there is no such entry
 */
export const ownEntry = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
