/** A header that may be sent once, as one text. */
export const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(',') : value);
