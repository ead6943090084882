import type { PaymentsConfig } from '../config/payments.ts';
import { createAuthorize } from './authorize/authorize.ts';
import type { Notice, Provider, ProviderName } from './port.ts';
import { ProviderNotConfigured } from './problem.ts';
import { openBook } from './sandbox/book.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { createSelfHandled } from './self-handled/self-handled.ts';
import { type WatchCall, watched } from './watched.ts';

export interface Providers {
  /** Throws `ProviderNotConfigured`. */
  get(name: ProviderName): Provider;
  has(name: ProviderName): boolean;
  /**
   * The provider that serves a session for this one: where there is a sandbox, it takes the place of a card processor
   * without keys.
   */
  servedBy(name: ProviderName): ProviderName;
  /** The provider of a session whose caller names none. */
  readonly usual: ProviderName;
  close(): Promise<void>;
}

interface ProviderParts {
  config: PaymentsConfig;
  /** `embedded` has the sandbox, production never. */
  mode: 'embedded' | 'production';
  databaseUrl: string;
  /** Handles what a provider reports without being asked. */
  notify: (notice: Notice) => Promise<void>;
  /** Takes note of each call to the outside. */
  watch?: WatchCall | undefined;
}

const VARIABLES: Record<ProviderName, string> = {
  sandbox: 'PERENNIAL_MODE=embedded',
  self_handled: 'nothing',
  cardproc: 'CARDPROC_SECRET_KEY, CARDPROC_PUBLISHABLE_KEY and CARDPROC_WEBHOOK_SECRET',
  authorize: 'AUTHORIZE_LOGIN_ID, AUTHORIZE_TRANSACTION_KEY and AUTHORIZE_SIGNATURE_KEY',
};

/**
 * The providers that can be used here. One without keys is absent, never simulated, and the card processor's library,
 * 218 modules, isn't loaded for it.
 */
export async function createProviders({ config, mode, databaseUrl, notify, watch }: ProviderParts): Promise<Providers> {
  const book = mode === 'embedded' ? openBook(databaseUrl) : null;
  const made = new Map<ProviderName, Provider>([['self_handled', createSelfHandled()]]);
  if (book !== null) made.set('sandbox', createSandbox({ book, notify }));
  if (config.cardproc !== null) made.set('cardproc', (await import('./cardproc/cardproc.ts')).createCardproc(config.cardproc));
  if (config.authorize !== null) made.set('authorize', createAuthorize(config.authorize));
  if (watch !== undefined) for (const [name, provider] of made) if (provider.charges) made.set(name, watched(provider, watch));
  return {
    get(name) {
      const provider = made.get(name);
      if (provider === undefined) throw new ProviderNotConfigured(name, VARIABLES[name]);
      return provider;
    },
    has: (name) => made.has(name),
    servedBy: (name) => (name === 'cardproc' && !made.has('cardproc') && made.has('sandbox') ? 'sandbox' : name),
    usual: (['cardproc', 'authorize', 'sandbox'] as const).find((name) => made.has(name)) ?? 'self_handled',
    close: async () => {
      await book?.close();
    },
  };
}
