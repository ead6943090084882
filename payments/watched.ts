import type { Provider, ProviderName } from './port.ts';
import { OutcomeUnknown, ProviderUnavailable } from './problem.ts';

/** A call to a provider, without anything of whom or how much it is about. */
export interface WatchedCall {
  provider: ProviderName;
  operation: string;
}

/** Runs a call to a provider and takes note of it; `run` names the outcome before it ends. */
export type WatchCall = <T>(call: WatchedCall, run: (name: (outcome: string) => void) => Promise<T>) => Promise<T>;

/** The same provider, each of whose calls to the outside is watched. */
export function watched(provider: Provider, watch: WatchCall): Provider {
  const call = <T>(operation: string, run: () => Promise<T>, outcomeOf: (answer: T) => string): Promise<T> =>
    watch({ provider: provider.name, operation }, async (name) => {
      try {
        const answer = await run();
        name(outcomeOf(answer));
        return answer;
      } catch (error) {
        name(failureOf(error));
        throw error;
      }
    });
  const { confirmSetup, secondStep } = provider;
  return {
    ...provider,
    createSetup: (request) => call('create_setup', () => provider.createSetup(request), made),
    readSetup: (setup) => call('read_setup', () => provider.readSetup(setup), statusOf),
    ...(confirmSetup && { confirmSetup: (choice) => call('confirm_setup', () => confirmSetup(choice), statusOf) }),
    charge: (request) => call('charge', () => provider.charge(request), statusOf),
    lookup: (charge) => call('lookup', () => provider.lookup(charge), statusOf),
    ...(secondStep && {
      secondStep: {
        ...secondStep,
        pageOf: (charge) => call('page', () => secondStep.pageOf(charge), made),
        giveUp: (charge) => call('give_up', () => secondStep.giveUp(charge), statusOf),
      },
    }),
    refund: (request) => call('refund', () => provider.refund(request), statusOf),
    detach: (method) => call('detach', () => provider.detach(method), made),
  };
}

const made = (): string => 'done';

/** `succeeded`, `pending` or `failed`, as the provider answers; `none`: it has no such charge. */
const statusOf = (answer: { status: string } | null): string => answer?.status ?? 'none';

function failureOf(error: unknown): string {
  if (error instanceof OutcomeUnknown) return 'unknown';
  return error instanceof ProviderUnavailable ? 'unavailable' : 'error';
}
