import { expectsSoundLedger } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { metered, type PlanSpec, perUnit, plan, planOfFeatures, type Scene, story } from '../support/story.ts';

const pro = plan('pro', '30');
const max = plan('max', '60');
const calls = planOfFeatures('calls', { calls: { price: metered('1') } });
const byHand = { invoice_trigger: 'manual' as const, automatic_payment: false };

type Parts = Pick<Scene, 'on' | 'acme' | 'vendor'>;

/** Items of an invoice by their amounts. */
async function itemsOf({ vendor }: Pick<Scene, 'vendor'>, id: string): Promise<Map<string, string>> {
  const { invoice_items } = await vendor.api.read(`/v1/c/invoice/${id}`);
  return new Map(invoice_items.map((item: AnyJson) => [item.total_including_tax, item.id]));
}

/** The correction on the draft that is made on a day, and the draft. */
async function correctedOn(parts: Parts, date: string): Promise<{ draft: string; correction: string }> {
  const draft = await parts.on(date, () => made(parts));
  const { invoice_items } = await parts.vendor.api.read(`/v1/c/invoice/${draft}`);
  return { draft, correction: invoice_items.find(({ name }: AnyJson) => name.startsWith('Correction')).id };
}

const made = async ({ acme }: Pick<Scene, 'acme'>): Promise<string> => (await acme.contract.makesInvoice())[0] ?? '';
const voids = ({ vendor }: Pick<Scene, 'vendor'>, id: string) => vendor.api.made(`/v1/c/invoice/${id}/void`, {});
const validates = ({ vendor }: Pick<Scene, 'vendor'>, id: string) => vendor.api.made(`/v1/c/invoice/${id}/validate`, {});
const again = ({ vendor }: Pick<Scene, 'vendor'>, ...ids: (string | undefined)[]) =>
  vendor.api.post('/v1/c/invoice', { invoice_item_ids: ids });
const refusedWith = (why: string) => ({ status: 409, body: { code: 'invoice_state', detail: expect.stringContaining(why) } });
const walletOf = async ({ vendor, acme }: Pick<Scene, 'vendor' | 'acme'>): Promise<string> =>
  (await vendor.api.read(`/v1/c/customer/${await acme.id()}/wallet`)).balances[0]?.balance ?? '0.00';

/** Signed on 1 March, changed on 11 March; both drafts: 30.00, and −20.32 beside 40.65. */
async function hasTwoDrafts(parts: Parts, isPaid: boolean, offer: PlanSpec = pro): Promise<[string, string]> {
  const { on, acme, vendor } = parts;
  await on('2026-03-01', () => acme.signs(offer, byHand));
  const first = await made(parts);
  if (isPaid) {
    await validates(parts, first);
    await vendor.api.made(`/v1/c/invoice/${first}/pay`, { method: 'manual' });
  }
  await on('2026-03-11', () => acme.changesTo(max));
  return [first, await made(parts)];
}

describe('what gives back, invoiced again after a void, gives back no more than is left of its charge', () => {
  story('a credit of 20.32 of 30.00 beside a credit note of 30.00: nothing is left; of 20.00, only 10.00', async (parts) => {
    const { vendor } = parts;
    const [first, second] = await hasTwoDrafts(parts, true);
    const credit = (await itemsOf(parts, second)).get('-20.32');
    await voids(parts, second);
    const noted = async (amount: string) => {
      const items = [{ invoice_item_id: (await itemsOf(parts, first)).get('30.00'), amount }];
      await vendor.api.made(`/v1/c/invoice/${first}/credit_note`, { items, to: 'wallet' });
    };
    await noted('20.00');
    expect(await again(parts, credit)).toMatchObject(refusedWith('only 10.00 is left of what was charged'));
    await noted('10.00');
    expect(await again(parts, credit)).toMatchObject(refusedWith('nothing is left of what was charged'));
    expect(await walletOf(parts)).toBe('30.00');
    await expectsSoundLedger(vendor);
  });

  story('a credit of a charge that is voided too: refused', async (parts) => {
    const { vendor } = parts;
    const [first, second] = await hasTwoDrafts(parts, false);
    const credit = (await itemsOf(parts, second)).get('-20.32');
    const charge = (await itemsOf(parts, first)).get('30.00');
    await voids(parts, second);
    await voids(parts, first);
    expect(await again(parts, credit)).toMatchObject(refusedWith('nothing is left of what was charged'));
    expect(await again(parts, charge)).toMatchObject(refusedWith('after the end of its contract'));
    expect(await walletOf(parts)).toBe('0.00');
    await expectsSoundLedger(vendor);
  });

  story('a correction of usage whose charge is voided too: refused alone, and 0.00 beside the charge', async (parts) => {
    const { on, acme, vendor } = parts;
    await on('2026-03-01', () => acme.signs(calls, byHand));
    const event = await on('2026-03-10', () => acme.uses('calls', '10'));
    const first = await on('2026-04-02', () => made(parts));
    await acme.discards(event);
    const second = await on('2026-05-02', () => made(parts));
    const correction = (await itemsOf(parts, second)).get('-10.00');
    expect(correction).toBeDefined();
    await voids(parts, second);
    await voids(parts, first);
    expect(await again(parts, correction)).toMatchObject(refusedWith('is charged by a correction'));
    const charge = (await itemsOf(parts, first)).get('10.00');
    const { status, body } = await again(parts, charge, correction);
    expect([status, (await vendor.api.read(`/v1/c/invoice/${body[0]}`)).invoice.total]).toEqual([201, '0.00']);
    await expectsSoundLedger(vendor);
  });

  story('a discarded part of an invoice threshold, −12.00, beside a credit note of 12.00: refused', async (parts) => {
    const { on, acme, vendor } = parts;
    await on('2026-03-01', () => acme.signs(calls, { ...byHand, invoice_threshold: '10.00' }));
    const event = await on('2026-03-10', () => acme.uses('calls', '12'));
    const first = await made(parts);
    await validates(parts, first);
    await vendor.api.made(`/v1/c/invoice/${first}/pay`, { method: 'manual' });
    await acme.discards(event);
    const second = await on('2026-04-02', () => made(parts));
    const closing = (await itemsOf(parts, second)).get('-12.00');
    await voids(parts, second);
    const items = [{ invoice_item_id: (await itemsOf(parts, first)).get('12.00') }];
    await vendor.api.made(`/v1/c/invoice/${first}/credit_note`, { items, to: 'wallet' });
    expect(await again(parts, closing)).toMatchObject(refusedWith('nothing is left of what was charged'));
    expect(await walletOf(parts)).toBe('12.00');
    await expectsSoundLedger(vendor);
  });
});

describe('corrections of usage on voided invoices', () => {
  /**
   * 10 calls of March, corrected to each of these counts; the drafts of both corrections are void, the first one's
   * before the second was written, or after it.
   */
  async function hasTwoVoided(parts: Parts, counts: readonly [string, string], isBefore: boolean): Promise<[string, string]> {
    const { on, acme } = parts;
    await on('2026-03-01', () => acme.signs(calls, byHand));
    const event = await on('2026-03-10', () => acme.uses('calls', '10'));
    await on('2026-04-02', async () => validates(parts, await made(parts)));
    await acme.amends(event, counts[0]);
    const first = await correctedOn(parts, '2026-05-02');
    if (isBefore) await voids(parts, first.draft);
    await acme.amends(event, counts[1]);
    const second = await correctedOn(parts, '2026-06-02');
    await voids(parts, second.draft);
    if (!isBefore) await voids(parts, first.draft);
    return [first.correction, second.correction];
  }

  for (const [amount, units] of [
    ['-10.00', '0'],
    ['5.00', '15'],
  ] as const) {
    story(`of ${amount} comes with all items of its invoice, and once more`, async (parts) => {
      const { on, acme, vendor } = parts;
      await on('2026-03-01', () => acme.signs(calls, byHand));
      const event = await on('2026-03-10', () => acme.uses('calls', '10'));
      await on('2026-04-02', async () => validates(parts, await made(parts)));
      await acme.amends(event, units);
      const second = await on('2026-05-02', () => made(parts));
      const items = await itemsOf(parts, second);
      expect([...items.keys()]).toContain(amount);
      await voids(parts, second);
      const copies = (await again(parts, ...items.values())).body[0];
      await voids(parts, copies);
      const { status, body } = await again(parts, ...(await itemsOf(parts, copies)).values());
      expect(status).toBe(201);
      expect([...(await itemsOf(parts, body[0])).keys()]).toContain(amount);
      await expectsSoundLedger(vendor);
    });
  }

  story('of −10.00 and 19 % of tax, which nothing bears any more: it comes as it was, −11.90', async (parts) => {
    const { on, acme, vendor } = parts;
    await vendor.setsTaxes({ policy: 'tax_excluded', rates: [{ tax_code: null, country: null, state: null, rate: '0.19' }] });
    await on('2026-03-01', () => acme.signs(calls, byHand));
    const event = await on('2026-03-10', () => acme.uses('calls', '10'));
    await on('2026-04-02', async () => validates(parts, await made(parts)));
    await vendor.setsTaxes({ policy: 'tax_excluded', rates: [] });
    await acme.discards(event);
    const { draft, correction } = await correctedOn(parts, '2026-05-02');
    await voids(parts, draft);
    const { status, body } = await again(parts, correction);
    expect([status, [...(await itemsOf(parts, body[0])).keys()]]).toEqual([201, ['-11.90', '11.90']]);
  });

  story('of 15.00 for usage whose charge was void at 19 % has the tax of its own day, 21 %: 18.15', async (parts) => {
    const { on, acme, vendor } = parts;
    const taxes = (rate: string) => ({ policy: 'tax_excluded' as const, rates: [{ tax_code: null, country: null, state: null, rate }] });
    await vendor.setsTaxes(taxes('0.19'));
    await on('2026-03-01', () => acme.signs(calls, byHand));
    const event = await on('2026-03-10', () => acme.uses('calls', '10'));
    const first = await on('2026-04-02', () => made(parts));
    await voids(parts, first);
    await vendor.setsTaxes(taxes('0.21'));
    await acme.amends(event, '15');
    const { draft } = await correctedOn(parts, '2026-05-02');
    expect([...(await itemsOf(parts, draft)).keys()]).toContain('18.15');
    await expectsSoundLedger(vendor);
  });

  story('of 15.00 for usage whose charge was void: either of the two comes, 15.00 and not 25.00', async (parts) => {
    const { on, acme } = parts;
    await on('2026-03-01', () => acme.signs(calls, byHand));
    const event = await on('2026-03-10', () => acme.uses('calls', '10'));
    const first = await on('2026-04-02', () => made(parts));
    const [charge] = (await itemsOf(parts, first)).values();
    await voids(parts, first);
    await acme.amends(event, '15');
    const { draft, correction } = await correctedOn(parts, '2026-05-02');
    await voids(parts, draft);
    expect(await again(parts, charge, correction)).toMatchObject(refusedWith('is charged by a correction'));
    expect(await again(parts, correction)).toMatchObject({ status: 201 });
    expect(await again(parts, charge)).toMatchObject(refusedWith('is charged by a correction'));
  });

  for (const [counts, isBefore] of [
    [['15', '16'], true],
    [['15', '12'], false],
    [['15', '10'], true],
    [['0', '10'], true],
  ] as const) {
    story(
      `to ${counts.join(' and then ')} of 10 calls, ${isBefore ? 'one after the other void' : 'both void'}: neither comes`,
      async (parts) => {
        const [first, second] = await hasTwoVoided(parts, counts, isBefore);
        for (const items of [[first, second], [second], [first]])
          expect(await again(parts, ...items)).toMatchObject(refusedWith('is charged by a correction'));
      },
    );
  }

  story('of usage that goes on in another contract: it doesn’t come, and the part of the threshold does', async (parts) => {
    const { on, acme, vendor } = parts;
    const more = planOfFeatures('more', { calls: { price: metered('1') } });
    await on('2026-03-01', () => acme.signs(calls, { ...byHand, invoice_threshold: '10.00' }));
    await on('2026-03-05', () => acme.uses('calls', '12'));
    const part = await made(parts);
    await on('2026-03-11', () => acme.changesTo(more));
    const event = await on('2026-03-12', () => acme.uses('calls', '7'));
    await on('2026-04-02', () => made(parts));
    await voids(parts, part);
    await acme.amends(event, '17');
    const { draft, correction } = await correctedOn(parts, '2026-05-02');
    await voids(parts, draft);
    const [charge] = (await itemsOf(parts, part)).values();
    expect(await again(parts, charge, correction)).toMatchObject(refusedWith('is charged by a correction'));
    expect(await again(parts, charge)).toMatchObject({ status: 201 });
    expect(await again(parts, correction)).toMatchObject(refusedWith('is charged by a correction'));
    await expectsSoundLedger(vendor);
  });
});

describe('the plan’s line, voided around a change of units', () => {
  const team = plan('team', '30', { features: { seats: { price: perUnit('10', { unit_count: '2' }) } } });

  /** Signed on 1 March with 2 seats; 3 from 11 March on. The drafts up to then are void. */
  async function hasVoided(parts: Parts, isBefore: boolean): Promise<Map<string, string>> {
    const { on, acme } = parts;
    await on('2026-03-01', () => acme.signs(team, byHand));
    const first = await made(parts);
    const items = await itemsOf(parts, first);
    if (isBefore) await voids(parts, first);
    await on('2026-03-11', () => acme.changesUnits({ seats: '3' }));
    if (!isBefore) for (const draft of [await made(parts), first]) await voids(parts, draft);
    return items;
  }

  for (const isBefore of [true, false])
    story(
      `${isBefore ? 'before' : 'after'} it: 30.00 comes again, the 20.00 of 2 seats don’t; an end on 21 March gives 10.00 back`,
      async (parts) => {
        const { on, acme, vendor } = parts;
        const items = await hasVoided(parts, isBefore);
        expect(await again(parts, items.get('20.00'))).toMatchObject(refusedWith('after the end of its contract'));
        const { status, body } = await again(parts, items.get('30.00'));
        expect([status, (await vendor.api.read(`/v1/c/invoice/${body[0]}`)).invoice.total]).toEqual([201, '30.00']);
        expect(await again(parts, items.get('30.00'))).toMatchObject(refusedWith('was invoiced again already'));
        await on('2026-03-21', () => acme.cancels('now', { credit: true }));
        expect([...(await itemsOf(parts, await made(parts))).keys()]).toContain('-10.65');
        await expectsSoundLedger(vendor);
      },
    );

  story('it doesn’t come once another plan has followed', async (parts) => {
    const { on, acme } = parts;
    const items = await hasVoided(parts, false);
    await on('2026-03-15', () => acme.changesTo(max));
    expect(await again(parts, items.get('30.00'))).toMatchObject(refusedWith('after the end of its contract'));
  });

  story('beside a line of another customer, whose contract ended within its time: that one is refused as it is alone', async (parts) => {
    const { on, vendor } = parts;
    const beta = vendor.customer('Beta');
    await on('2026-03-01', () => beta.signs(pro, byHand));
    const draft = (await beta.contract.makesInvoice())[0] ?? '';
    const other = (await itemsOf(parts, draft)).get('30.00');
    const items = await hasVoided(parts, true);
    await voids(parts, draft);
    await on('2026-03-15', () => beta.cancels('now'));
    for (const ids of [[other], [items.get('30.00'), other]])
      expect(await again(parts, ...ids)).toMatchObject(refusedWith(`${other} is for time after the end of its contract`));
  });

  story('nor where that follows in the days by which a freeze has moved the end, 5 of 1 to 11 April', async (parts) => {
    const { on, acme } = parts;
    await on('2026-03-01', () => acme.signs(team, byHand));
    const first = await made(parts);
    await on('2026-03-05', () => acme.freezes());
    await on('2026-03-15', () => acme.unfreezes());
    const items = await itemsOf(parts, first);
    await voids(parts, first);
    await on('2026-03-20', () => acme.changesUnits({ seats: '3' }));
    await on('2026-04-05', () => acme.changesTo(max));
    expect(await again(parts, items.get('30.00'))).toMatchObject(refusedWith('after the end of its contract'));
  });

  story('it comes beside the difference to another plan, and a cancellation with credit gives both back', async (parts) => {
    const { on, acme, vendor } = parts;
    await on('2026-03-01', () => acme.signs(pro, { ...byHand, change_rules: { upgrade: { when: 'now', proration: 'difference' } } }));
    const first = await made(parts);
    await on('2026-03-11', () => acme.changesTo(max));
    await made(parts);
    const charge = (await itemsOf(parts, first)).get('30.00');
    await voids(parts, first);
    const { status, body } = await again(parts, charge);
    expect([status, (await vendor.api.read(`/v1/c/invoice/${body[0]}`)).invoice.total]).toEqual([201, '30.00']);
    await on('2026-03-16', () => acme.cancels('now', { credit: true }));
    expect([...(await itemsOf(parts, await made(parts))).keys()].sort()).toEqual(['-15.48', '-22.86', '38.34']);
    await expectsSoundLedger(vendor);
  });

  story('it comes whole once the contract has expired within its time, since an expiration gives nothing back: 30.00', async (parts) => {
    const { on, acme, vendor } = parts;
    await on('2026-03-01', () => acme.signs(pro, { ...byHand, expiration: '2026-03-21T00:00:00Z' }));
    const first = await made(parts);
    const charge = (await itemsOf(parts, first)).get('30.00');
    await voids(parts, first);
    const { status, body } = await on('2026-03-25', () => again(parts, charge));
    expect([status, (await vendor.api.read(`/v1/c/invoice/${body[0]}`)).invoice.total]).toEqual([201, '30.00']);
  });

  story('it doesn’t come once the contract has ended, and does from the cycle after on', async (parts) => {
    const { on, acme } = parts;
    const items = await hasVoided(parts, true);
    await on('2026-04-05', () => acme.cancels('now'));
    expect(await again(parts, items.get('30.00'))).toMatchObject({ status: 201 });
  });
});
