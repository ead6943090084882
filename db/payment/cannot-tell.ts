/**
 * Why an open attempt waits for an outcome that its provider can't tell: there are no keys to ask it with, or its
 * account doesn't know the charge, its customer or its method.
 */
export const CANNOT_TELL: readonly string[] = ['provider_not_configured', 'unknown_at_provider'];
