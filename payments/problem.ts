import type { ProviderName } from './port.ts';

/** The provider has no keys here. Nothing was tried. */
export class ProviderNotConfigured extends Error {
  readonly provider: ProviderName;

  constructor(provider: ProviderName, variables: string) {
    super(`The payment provider ${provider} is not configured; set ${variables}.`);
    this.name = 'ProviderNotConfigured';
    this.provider = provider;
  }
}

/** No response: the provider may have acted. Ask it with the same key before trying again. */
export class OutcomeUnknown extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutcomeUnknown';
  }
}

/** The provider certainly did nothing; the same call may be made again later. */
export class ProviderUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ProviderUnavailable';
  }
}

/** A webhook without a valid signature. */
export class WebhookRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WebhookRefused';
  }
}

/** A call the provider can't serve at all, like a charge through `self_handled`. */
export class NotSupported extends Error {
  constructor(provider: ProviderName, what: string) {
    super(`The payment provider ${provider} has no ${what}.`);
    this.name = 'NotSupported';
  }
}
