import type { Provider } from '../port.ts';
import { NotSupported } from '../problem.ts';

const never = (what: string) => () => Promise.reject(new NotSupported('self_handled', what));

/** The vendor collects by its own means and records what came in; nothing here moves money. */
export function createSelfHandled(): Provider {
  return {
    name: 'self_handled',
    charges: false,
    createSetup: async ({ token }) => ({
      reference: token,
      customerReference: null,
      clientSecret: null,
      connectedAccountId: null,
      publishableKey: null,
    }),
    readSetup: never('set-up to read'),
    charge: never('charges'),
    lookup: async () => null,
    refund: async ({ key }) => ({ status: 'succeeded', reference: key }),
    detach: async () => {},
    readWebhook: never('webhooks'),
  };
}
