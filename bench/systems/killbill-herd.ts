import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Request, sendEach } from '../api/load.ts';
import { times } from '../compare/cases.ts';
import type { System } from '../compare/system.ts';
import type { Herd } from './bill-run.ts';
import type { KillBillClient } from './killbill-client.ts';

/** No invoice for so long: the rest, if any, doesn't come by itself. */
const QUIET_MS = 10_000;
/** Looking costs Kill Bill some milliseconds too. */
const LOOK_MS = 250;

export const idInLocation = ({ head }: Answer): string => /\r\nlocation: \S*\/([0-9a-f-]{36})/i.exec(head)?.[1] ?? '';
export const account = () => ({ name: 'Customer', externalKey: randomUUID(), currency: 'USD' });

/** Subscriptions of Kill Bill, whose one clock is sent on a month at a time. */
export function killBillHerd(system: System, client: KillBillClient, { size, callers }: { size: number; callers: number }): Herd {
  const post = (path: string, body: unknown): Request => ({ method: 'POST', path, headers: system.headers, body: JSON.stringify(body) });
  return {
    signings: async () => {
      await client.cancelAll();
      const accounts = times(size, () => post('/1.0/kb/accounts', account()));
      const { answers } = await sendEach(system.port, callers, accounts);
      return answers.map(idInLocation).map((accountId) => post('/1.0/kb/subscriptions', { accountId, planName: 'pro-monthly' }));
    },
    bill: async () => {
      const before = await client.invoices();
      // it may take longer than its own limit; the invoices say when it is done
      const moving = client.send('PUT', '/1.0/kb/test/clock?months=1&timeoutSec=1').catch(() => undefined);
      let [made, last] = [0, performance.now()];
      while (made < size && (made === 0 || performance.now() - last < QUIET_MS)) {
        await pause(LOOK_MS);
        const now = (await client.invoices()) - before;
        if (now !== made) [made, last] = [now, performance.now()];
      }
      await moving;
      return { invoices: made, inVain: made < size ? (performance.now() - last) / 1000 : 0 };
    },
  };
}
