import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createEndpoint } from '../../services/webhook/endpoint.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { logsOf } from '../support/servers.ts';
import { asAdministrator } from '../support/vendor.ts';
import { type Kit, openKit } from '../workflows/kit.ts';

/** The relay asks every 2 seconds. */
const LOOKS = 6;
/**
 * Every 30 seconds each, all of which may fall into the same 10 seconds: what is overdue, what lists and figures add up
 * to, whether there is an endpoint, reminders that are due (the time, and whether there are some), what of the log is
 * settled.
 */
const OTHERS = 7;
/** Two things, twice a second. */
const NEWS = 40;

let stack: OwnStack;
let kit: Kit;
beforeAll(async () => {
  stack = await ownStack();
  kit = await openKit(stack.servers);
});
afterAll(async () => {
  await kit?.close();
  await stack?.stop();
});

/**
 * From now on Postgres writes every statement into its log; gives the times of those that we have asked since, in
 * milliseconds.
 */
async function statements(): Promise<() => Promise<number[]>> {
  await asAdministrator(`alter system set log_line_prefix = '%n|%a|'`, stack.servers);
  await asAdministrator(`alter system set log_statement = 'all'`, stack.servers);
  await asAdministrator('select pg_reload_conf()', stack.servers);
  const path = join(logsOf(stack.servers.home), 'postgres.log');
  const { size } = await stat(path);
  return async () => {
    const log = (await readFile(path)).subarray(size).toString('utf8');
    return [...log.matchAll(/^(\d+\.\d+)\|perennial\|LOG: {2}(?:execute |statement: )/gm)].map(([, seconds]) => Number(seconds) * 1_000);
  };
}

/** Waits for `count` statements and gives the milliseconds from the first to the last of them. */
async function timeOf(count: number): Promise<number> {
  const since = await statements();
  const all = await eventually(
    async () => {
      const found = await since();
      expect(found.length).toBeGreaterThan(count);
      return found;
    },
    { every: 500 },
  );
  const [first = 0] = all;
  return (all[count - 1] ?? first) - first;
}

it('an idle service asks Postgres at most 13 things in 10 seconds: 6 times for the relay, and what it asks every 30 seconds', async () => {
  const plan = await kit.plan('10.00');
  const ids = await Promise.all(Array.from({ length: 5 }, async () => kit.sign(await kit.customer(), plan)));
  for (const id of ids) expect(await kit.look(id)).toMatchObject({ due: [{ kind: 'boundary' }] });
  // all but seven of the first 13 statements look for messages
  expect(await timeOf(LOOKS + OTHERS)).toBeGreaterThan((LOOKS - 1) * 1_900);
});

it('with an endpoint 40 more: twice a second it asks what of the log is settled, and whether an endpoint has news', async () => {
  const endpoint = { url: 'https://acme.example/hook', types: ['v1.invoice.paid'], description: null };
  const { id } = await kit.db.transaction((tx) => createEndpoint(tx, kit.vendorId, endpoint, { own: 'a secret', now: Date.now() }));
  await eventually(async () => {
    const { status } = await kit.client.workflow.getHandle(id).describe();
    expect([status.name, (await kit.db.query('select kind from outbox where sent < wanted')).length]).toEqual(['RUNNING', 0]);
  });
  // the first looks of the endpoint's workflow and of the loop that it has woken
  await timeOf(LOOKS + OTHERS);
  expect(await timeOf(LOOKS + OTHERS + NEWS)).toBeGreaterThan((LOOKS - 1) * 1_900);
});
