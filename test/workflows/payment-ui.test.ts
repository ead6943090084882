import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';
import { addMethod, attemptOf, hastenRetry, payer } from './payer.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/** The summary of the timer that a workflow started last. */
async function timerOf(workflowId: string): Promise<string> {
  const timers = (await kit.history(workflowId)).filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes != null);
  return Buffer.from(timers.at(-1)?.userMetadata?.summary?.data ?? '').toString();
}

const nextOf = async (workflowId: string): Promise<unknown> =>
  (await kit.client.workflow.getHandle(workflowId).describe()).searchAttributes?.PerennialNext?.[0];

const retryOf = async (contract: string): Promise<string> => {
  const [row] = await kit.db.query<{ at: number }>(`select due_at as at from agenda where workflow_id = $1 and kind = 'payment_retry'`, [
    contract,
  ]);
  return row === undefined ? '' : new Date(row.at).toISOString();
};

const day = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, iso.endsWith('.000Z') ? 19 : 23)}Z`;

describe('a payment that fails, in the Temporal UI', () => {
  it('stands in the details of the contract, its timer and PerennialNext, try after try, until it is paid', async () => {
    const { customer, contract } = await payer(kit, 'sandbox_declined');
    const first = await attemptOf(kit, customer, 'failed');
    await eventually(async () => {
      const at = await retryOf(contract);
      expect(at).not.toBe('');
      expect((await nextOf(contract)) as Date).toEqual(new Date(at));
      expect(await timerOf(contract)).toContain(`${day(at)}: invoice ${first.invoice} is charged again, retry 1 of 4`);
      expect(await kit.details(contract)).toContain(`- ${day(at)}: invoice ${first.invoice} is charged again, retry 1 of 4\n`);
    });
    expect(await kit.details(contract)).toContain(
      `Unpaid:\n\n- invoice \`${first.invoice}\`: 1 try has failed, the last is \`payment:${first.id}\`\n`,
    );

    await hastenRetry(kit, contract);
    const second = await attemptOf(kit, customer, 'failed', 2);
    await eventually(async () => {
      const details = await kit.details(contract);
      expect(details).toContain(`invoice ${first.invoice} is charged again, retry 2 of 4\n`);
      expect(details).toContain(`- invoice \`${first.invoice}\`: 2 tries have failed, the last is \`payment:${second.id}\`\n`);
    });

    await addMethod(kit, customer, null, 'sandbox_ok');
    await attemptOf(kit, customer, 'succeeded');
    await eventually(async () => {
      expect(await kit.details(contract)).not.toMatch(/Unpaid|is charged again/);
      expect(await timerOf(contract)).not.toContain(first.invoice);
    });
  });

  it('that no retry can mend stays in the details of the contract', async () => {
    const { customer, contract } = await payer(kit, 'sandbox_expired_card');
    const { id, invoice } = await attemptOf(kit, customer, 'failed');
    await eventually(async () =>
      expect(await kit.details(contract)).toContain(
        `- invoice \`${invoice}\`: 1 try has failed, the last is \`payment:${id}\`; no further one comes by itself\n`,
      ),
    );
    expect(await timerOf(contract)).not.toContain(invoice);
  });
});

describe('an attempt to pay, in the Temporal UI', () => {
  it.each(['sandbox_ok', 'sandbox_declined', 'sandbox_slow'])(
    '%s: is found by vendor, customer and contract, and leads to all three',
    async (method) => {
      const { customer, contract } = await payer(kit, method);
      const status = { sandbox_ok: 'succeeded', sandbox_declined: 'failed' }[method] ?? 'processing';
      const { id, invoice } = await attemptOf(kit, customer, status);
      const handle = kit.client.workflow.getHandle(`payment:${id}`);
      await eventually(() => handle.result());
      const { searchAttributes, ...description } = await handle.describe();
      expect(searchAttributes).toMatchObject({
        PerennialVendor: [kit.vendorId],
        PerennialCustomer: [customer],
        PerennialContracts: [contract],
      });
      expect(await description.staticSummary()).toBe(`Carries out one attempt to pay an invoice: ${invoice}`);
      const details = await description.staticDetails();
      for (const one of [
        `Invoice \`${invoice}\``,
        `contract \`${contract}\``,
        `customer \`${customer}\``,
        `in the workflow \`${contract}\``,
      ]) {
        expect(details).toContain(one);
      }
      expect(await kit.details(`payment:${id}`)).toBe(`Attempt \`${id}\`: ${status}`);
      const found: string[] = [];
      const query = `PerennialContracts = "${contract}" and WorkflowType = 'payAttempt'`;
      await eventually(async () => {
        found.length = 0;
        for await (const { workflowId } of kit.client.workflow.list({ query })) found.push(workflowId);
        expect(found).toEqual([`payment:${id}`]);
      });
    },
  );
});
