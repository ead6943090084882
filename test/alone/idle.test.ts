import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateResponse } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { logsOf } from '../support/servers.ts';
import { asAdministrator } from '../support/vendor.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

/** The relay looks every 2 seconds. */
const LOOKS = 6;

let stack: OwnStack;
let kit: Kit;
beforeAll(async () => {
  stack = await ownStack();
  kit = await openKit(stack.servers);
}, 180_000);
afterAll(async () => {
  await kit?.close();
  await stack?.stop();
}, 60_000);

/** From now on Postgres writes every statement into its log; gives what has been written since, as milliseconds and text. */
async function statements(): Promise<() => Promise<{ at: number; text: string }[]>> {
  await asAdministrator(`alter system set log_line_prefix = '%n|%a|'`, stack.servers);
  await asAdministrator(`alter system set log_statement = 'all'`, stack.servers);
  await asAdministrator('select pg_reload_conf()', stack.servers);
  const path = join(logsOf(stack.servers.home), 'postgres.log');
  const file = await open(path);
  const { size } = await file.stat();
  await file.close();
  return async () => {
    const log = await open(path);
    const { buffer, bytesRead } = await log.read({ position: size, buffer: Buffer.alloc(4_000_000) });
    await log.close();
    return buffer
      .toString('utf8', 0, bytesRead)
      .split(/^(?=\d+\.\d+\|)/m)
      .flatMap((entry) => {
        const [, seconds, application, text] = /^(\d+\.\d+)\|([^|]*)\|LOG: {2}(?:execute [^:]*|statement): ([\s\S]*)/.exec(entry) ?? [];
        return application === 'perennial' && text !== undefined ? [{ at: Number(seconds) * 1_000, text }] : [];
      });
  };
}

it('an idle service asks Postgres nothing but the relay’s look every 2 seconds and the watch over what is overdue', async () => {
  const plan = await kit.plan('10.00');
  const ids = await Promise.all(Array.from({ length: 5 }, async () => kit.sign(await kit.customer(), plan)));
  for (const id of ids) {
    const waits = () => kit.client.workflow.getHandle(id).query<StateResponse>('state');
    await eventually(async () => expect(await waits()).toMatchObject({ due: [{ kind: 'boundary' }] }));
  }
  const since = await statements();
  const isLook = ({ text }: { text: string }) => text.startsWith('update outbox o set leased_until');
  const all = await eventually(
    async () => {
      const found = await since();
      expect(found.filter(isLook).length).toBeGreaterThanOrEqual(LOOKS);
      return found;
    },
    { timeout: 40_000, every: 500 },
  );
  const looks = all.filter(isLook).map(({ at }) => at);
  const pauses = looks.slice(1).map((at, i) => at - (looks[i] ?? at));
  expect(Math.min(...pauses)).toBeGreaterThan(1_900);
  // the watch comes every 30 seconds, in these 10 once at most
  const others = all.filter((one) => !isLook(one)).map(({ text }) => text);
  expect(others.filter((text) => !text.startsWith('select a.workflow_id as "workflowId" from agenda a'))).toEqual([]);
  expect(others.length).toBeLessThanOrEqual(1);
}, 120_000);
