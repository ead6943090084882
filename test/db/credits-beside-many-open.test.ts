import { HOUR } from '../../billing/calendar/instant.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { collectPayment } from '../../services/payment/collect.ts';
import { selectDefault } from '../../services/payment/method.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { ManyOpen } from './many-open-kit.ts';

const own = countedVendor('Many open');
const shop = new ManyOpen(own);
afterEach(async () => expect(await checkLedger(own.db)).toEqual([]));

describe('credits of a customer with many open invoices', () => {
  it('that pay none of more than 200 open invoices are offered the one alone whose charge fails or is due, without a walk', async () => {
    const id = await shop.customer();
    await shop.owes(id, 250);
    const other = await shop.owes(await shop.customer(), 1);
    await shop.credits(id, '1000.00', [other.planId]);
    await shop.goesOnToTheEnd(id);
    await shop.card(id);
    expect(await shop.standing(id)).toBe('charged 50, open 200');
    for (const n of [0, 1]) await shop.fails(id, n);
    expect(await shop.standing(id)).toBe('open 2, charged 48, open 200');
    const [first] = await own.db.query<{ subject: string }>(
      `update agenda set due_at = now() where kind = 'payment_retry' and customer_id = $1 returning subject`,
      [id],
    );
    await shop.inOne((tx) => collectPayment(tx, { kind: 'payment_retry', subject: first?.subject ?? '', detail: {} }, Date.now()));
    expect(await shop.standing(id)).toMatch(/^(charged 1, open 1, charged 48|open 1, charged 49), open 200$/);
  });

  it('that came while a charge was under way pay its invoice once the charge has failed, however many others are open', async () => {
    const id = await shop.customer();
    const first = await shop.owes(id, 1, Date.now() - 300 * HOUR);
    await shop.card(id);
    expect(await shop.standing(id)).toBe('charged 1');
    await shop.inOne((tx) => selectDefault(tx, shop.vendorId, id, 'none'));
    const { contractId } = await shop.owes(id, 250);
    await shop.credits(id, '1000.00', [first.planId]);
    await shop.goesOnToTheEnd(id);
    await shop.fails(id, 0);
    expect([await shop.standing(id, first.contractId), await shop.standing(id, contractId)]).toEqual(['paid 1', 'open 250']);
  });

  it('that are bought with money that is given pay in the next step: no transaction pays more purchases than one step', async () => {
    const id = await shop.customer();
    await shop.buys(id, 201);
    const { contractId } = await shop.owes(id, 2);
    await shop.money(id, '2035.00');
    expect(await shop.standing(id)).toBe('paid 200, open 3, to go on');
    await shop.goesOn(id);
    expect(await shop.standing(id)).toBe('paid 203');
    expect([await shop.standing(id, contractId), await shop.balance(id)]).toEqual(['paid 2', '5.00']);
    const [left] = await own.db.query<{ left: string; granted: number }>(
      `select sum(balance)::text as left, count(*) filter (where paid_at is not null)::int as granted from credit_grant where customer_id = $1`,
      [id],
    );
    expect(left).toEqual({ left: '2412.00', granted: 201 });
  });

  it('that are bought are granted by as many statements for 30 purchases as for 10', async () => {
    const [some, more] = [await shop.customer(), await shop.customer()];
    await shop.buys(some, 10);
    await shop.buys(more, 30);
    const few = await own.during(() => shop.money(some, '1000.00'));
    const many = await own.during(() => shop.money(more, '1000.00'));
    expect([await shop.standing(some), await shop.standing(more), many.statements]).toEqual(['paid 10', 'paid 30', few.statements]);
  });
});
