import { clockOf } from './clock.ts';
import { expectAsForeseen, foresee } from './foreseen.ts';
import { servers } from './servers.ts';
import type { StoryCustomer } from './story-customer.ts';
import { instantOf } from './story-time.ts';
import { StoryVendor } from './story-vendor.ts';
import { newVendor } from './vendor.ts';

export * from './story-catalogue.ts';
export { dayOf, instantOf } from './story-time.ts';

export type Scene = {
  /** Moves the clock to a date, in order, and plays what happens there. The first date is where the clock begins. */
  on(date: string): Promise<void>;
  on<T>(date: string, act: () => Promise<T>): Promise<T>;
  acme: StoryCustomer;
  vendor: StoryVendor;
};

/** A diary: dates on the left, facts on the right, a vendor and a test clock of its own, only the public API. */
export function story(title: string, tell: (scene: Scene) => Promise<void>, timeout?: number): void {
  it(
    title,
    async () => {
      const vendor = new StoryVendor(await newVendor(`Story: ${title}`.slice(0, 100)), (await servers()).baseUrl);
      const acme = vendor.customer('Acme', { emails: { main: 'billing@acme.example' } });
      let now: string | null = null;
      const on = async (date: string, act?: () => Promise<unknown>): Promise<unknown> => {
        const at = instantOf(date);
        if (now === null) vendor.snapshotsAt(await clockOf(vendor, at));
        else if (at !== now) await advancesAsForeseen(vendor, now, at);
        now = at;
        return act?.();
      };
      await tell({ on: on as Scene['on'], acme, vendor });
      await vendor.checkAllBooks();
    },
    timeout,
  );
}

/** Whatever a story is about: the next invoices of its contracts are those that were foreseen. */
async function advancesAsForeseen(vendor: StoryVendor, from: string, to: string): Promise<void> {
  const read = (path: string) => vendor.api.read(path);
  const foreseen = await foresee(read, vendor.signedContracts());
  await vendor.clock.advanceTo(to);
  await expectAsForeseen(read, foreseen, Date.parse(from), Date.parse(to));
}

/** That a step, of the client or by its path, is refused with this status and, where it is given, this code. */
export async function refused(status: number, step: Promise<unknown>, code = ''): Promise<void> {
  const named = code === '' ? '\\w+' : code;
  await expect(step).rejects.toThrow(new RegExp(`answered ${status}(: .*"code":"${named}"| ${named}: )`));
}
