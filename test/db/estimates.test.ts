import { changeFromWire } from '../../api/wire/change.ts';
import type { Database } from '../../db/connect.ts';
import { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import { type SignedContract, signedContract } from '../api/support.ts';
import type { AnyJson } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const UNKNOWN = 'Cont_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const seats = (count: string) => ({
  upgrade_configuration: { upgrade_strategy: 'change_unit_count' as const, unit_count_configuration: { seats: count } },
});

let vendor: TestVendor;
let other: TestVendor;
beforeAll(async () => {
  [vendor, other] = await Promise.all([newVendor(), newVendor()]);
});

/**
 * The result of an estimate: the totals of its invoices and the instant it was made for, or the code of its refusal.
 */
async function outcome(estimates: ChangeEstimates, [vendorId, contractId, count]: readonly [string, string, string]): Promise<string> {
  try {
    const { plan, basis } = await estimates.estimate(vendorId, contractId, changeFromWire(seats(count)));
    return `${plan.priceOnNew.map(({ invoice }) => invoice.total).join()} on ${new Date(basis.instant).toISOString()}`;
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

async function onClock(of: TestVendor, start: string, now: string): Promise<SignedContract> {
  const clock = await clockOf(of, start);
  const signed = await signedContract(of, { test_clock: clock.id });
  await clock.advanceTo(now);
  return signed;
}

describe('estimates asked for together', () => {
  it('come to what each comes to alone, on clocks and for vendors of their own, refusals too', async () => {
    const [june, may] = [
      await onClock(vendor, '2025-06-01T00:00:00Z', '2025-06-16T00:00:00Z'),
      await onClock(other, '2025-05-10T00:00:00Z', '2025-06-02T08:00:00Z'),
    ];
    const asks = [
      [vendor.vendorId, june.contractId, '9'],
      [other.vendorId, may.contractId, '7'],
      [vendor.vendorId, june.contractId, '11'],
      [vendor.vendorId, may.contractId, '9'],
      [other.vendorId, may.contractId, '5'],
      [vendor.vendorId, UNKNOWN, '9'],
      [vendor.vendorId, june.contractId, '500'],
    ] as const;
    await withTestDatabase(async (db) => {
      const estimates = new ChangeEstimates(db);
      const together = await Promise.all(asks.map((ask) => outcome(estimates, ask)));
      const alone: string[] = [];
      for (const ask of asks) alone.push(await outcome(estimates, ask));
      expect(together).toEqual(alone);
      expect(together.slice(3, 6)).toEqual(['contract_not_found', 'nothing_to_change', 'contract_not_found']);
      expect(together[0]).toContain('on 2025-06-16T00:00:00.000Z');
      expect(together[1]).toContain('on 2025-06-02T08:00:00.000Z');
    });
  });

  it('are all made, though one contract among them cannot be read', async () => {
    const [good, broken] = [await signedContract(vendor), await signedContract(vendor)];
    await withTestDatabase(async (db: Database) => {
      await db.query(`update contract set terms = '{}' where id = $1`, [broken.contractId]);
      const estimates = new ChangeEstimates(db);
      const [first, second, third] = await Promise.all(
        [good, broken, good].map(({ contractId }) => outcome(estimates, [vendor.vendorId, contractId, '9'])),
      );
      expect([first, third]).toEqual([expect.stringContaining(' on '), expect.stringContaining(' on ')]);
      expect(second).toContain('TypeError');
      await db.query(`delete from agenda where contract_id = $1`, [broken.contractId]);
      await db.query(`update contract set status = 'canceled' where id = $1`, [broken.contractId]);
    });
  });

  it('hold as tokens: ten upgrades by them write the totals that were estimated', async () => {
    const contracts = await Promise.all(Array.from({ length: 10 }, () => onClock(vendor, '2025-06-01T00:00:00Z', '2025-06-16T00:00:00Z')));
    const body = (n: number) => seats(String(n + 6));
    const path = ({ contractId }: SignedContract) => `/v1/c/contract/${contractId}/upgrade`;
    const estimated = await Promise.all(contracts.map((one, n) => vendor.api.made<AnyJson>(`${path(one)}_estimate`, body(n))));
    for (const [n, one] of contracts.entries()) {
      await vendor.api.made(path(one), { ...body(n), estimate_token: estimated[n].estimate_token });
      const [{ invoice }] = estimated[n].price_on_new_contract;
      expect((await vendor.api.read(`/v1/c/invoice/${invoice.id}`)).invoice.total).toBe(invoice.total);
    }
  });
});
