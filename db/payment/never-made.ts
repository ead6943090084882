/** The reason of an attempt that was dropped before its provider was called: it counts as not begun. */
export const NEVER_MADE = 'customer_not_active';
