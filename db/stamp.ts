/** An instant as a parameter of type timestamptz. Text, since to_timestamp() takes a float that loses milliseconds in far years. */
export const stamp = (at: number): string => new Date(at).toISOString();

/** The same for an instant that may be absent. */
export const stampOrNull = (at: number | null | undefined): string | null => (at === null || at === undefined ? null : stamp(at));
