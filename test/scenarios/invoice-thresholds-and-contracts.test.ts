import { metered, type PriceSpec, plan, story } from '../support/story.ts';

// Early invoices of a contract that is frozen, canceled, kept after all, or changed.

const calls = (slug: string, amount: string, price: PriceSpec = metered('1')) => plan(slug, amount, { features: { calls: { price } } });
const at = (invoice_threshold: string | null) => ({ invoice_threshold });

describe('an invoice threshold and a freeze', () => {
  story('that holds usage: 70 before and 60 in it are 130.00 when it ends, and the end moves by the ten days', async ({ on, acme }) => {
    const holding = { ...calls('pro', '30'), pauseRules: { usage: 'hold' as const } };
    await on('2025-06-01', () => acme.signs(holding, at('100.00')));
    await on('2025-06-10', () => acme.uses('calls', '70'));
    await acme.freezes();
    await on('2025-06-15', () => acme.uses('calls', '60'));
    await acme.expectsInvoices('2025-06-01 30.00');
    await on('2025-06-20', () => acme.unfreezes());
    await acme.expectsLines('2025-06-20', 'Calls 130.00');
    await acme.uses('calls', '10');
    await on('2025-07-11', () => acme.expectsLines('2025-07-11', 'Calls 10.00', 'Pro 30.00'));
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-20 130.00', '2025-07-11 40.00');
  });

  story('between two parts: 110.00 before, 100.00 after, and 5.00 with the prolonged month’s end', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('pro', '30'), at('100.00')));
    await on('2025-06-05', () => acme.uses('calls', '110'));
    await on('2025-06-10', () => acme.freezes());
    await on('2025-06-25', () => acme.unfreezes());
    await on('2025-07-05', () => acme.uses('calls', '100'));
    await acme.uses('calls', '5');
    await on('2025-07-16');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-05 110.00', '2025-07-05 100.00', '2025-07-16 35.00');
  });
});

describe('an invoice threshold and a cancellation', () => {
  story('for the end of the month, taken back: the parts stay, and July begins at nothing', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('pro', '30'), at('100.00')));
    await on('2025-06-05', () => acme.uses('calls', '110'));
    await on('2025-06-10', () => acme.cancels('end_of_cycle'));
    await on('2025-06-12', () => acme.uses('calls', '120'));
    await acme.expectsLines('2025-06-12', 'Calls 120.00');
    await on('2025-06-15', () => acme.contract.undoesTheCancellation());
    await on('2025-06-20', () => acme.uses('calls', '7'));
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 7.00', 'Pro 30.00'));
    await on('2025-07-02', () => acme.uses('calls', '99'));
    await on('2025-07-03', () => acme.uses('calls', '1'));
    await acme.expectsLines('2025-07-02');
    await acme.expectsLines('2025-07-03', 'Calls 100.00');
  });

  story('for the end of the month, carried out: 110.00 in two parts, 6.00 with the end, and nothing after it', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('pro', '30'), at('50.00')));
    await on('2025-06-05', () => acme.cancels('end_of_cycle'));
    await on('2025-06-12', () => acme.uses('calls', '60'));
    await on('2025-06-20', () => acme.uses('calls', '50'));
    await acme.uses('calls', '6');
    await on('2025-08-01');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-12 60.00', '2025-06-20 50.00', '2025-07-01 6.00');
    await acme.contract.expectsStatus('canceled');
  });

  story('now, with credit: half the month comes back, what early invoices have charged doesn’t', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('pro', '30'), at('100.00')));
    await on('2025-06-05', () => acme.uses('calls', '110'));
    await on('2025-06-10', () => acme.uses('calls', '20'));
    await acme.pays();
    await on('2025-06-16', () => acme.cancels('now', { credit: true }));
    await acme.expectsLines('2025-06-16', 'Calls 20.00', '-15.00');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-05 110.00', '2025-06-16 5.00');
  });
});

describe('an invoice threshold and a change of plan', () => {
  story('that waits for the next month: the old plan’s parts before, the new one’s by the same threshold after', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('pro', '30'), at('100.00')));
    await on('2025-06-05', () => acme.uses('calls', '110'));
    await on('2025-06-10', () => acme.changesTo(calls('basic', '10')));
    await on('2025-06-12', () => acme.uses('calls', '100'));
    await acme.expectsLines('2025-06-12', 'Calls 100.00');
    await on('2025-06-20', () => acme.uses('calls', '8'));
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 8.00', 'Basic 10.00'));
    acme.contract.follows();
    await on('2025-07-05', () => acme.uses('calls', '99'));
    await on('2025-07-06', () => acme.uses('calls', '1'));
    await acme.expectsLines('2025-07-05');
    await acme.expectsLines('2025-07-06', 'Calls 100.00');
  });

  story('that waits and is taken back: the threshold goes on as if nothing had been', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('pro', '30'), at('100.00')));
    await on('2025-06-05', () => acme.uses('calls', '60'));
    await on('2025-06-10', () => acme.changesTo(calls('basic', '10')));
    await on('2025-06-12', () => acme.undoesTheChange());
    await on('2025-06-13', () => acme.uses('calls', '60'));
    await acme.uses('calls', '3');
    await on('2025-07-01');
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-13 120.00', '2025-07-01 33.00');
  });

  story('twice in a month: each price charges its own parts once, 244 units for 282.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('pro', '30'), at('100.00')));
    await on('2025-06-05', () => acme.uses('calls', '110'));
    await on('2025-06-11', async () => {
      await acme.uses('calls', '90');
      await acme.changesTo(calls('more', '60', metered('2')));
    });
    await acme.expectsLines('2025-06-11', 'Calls 90.00', '-20.00', '40.00');
    await on('2025-06-21', async () => {
      await acme.uses('calls', '40');
      await acme.changesTo(calls('most', '90', metered('0.5')));
    });
    await acme.expectsLines('2025-06-21', 'Calls 80.00', '-20.00', '30.00');
    await on('2025-06-25', () => acme.uses('calls', '4'));
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 2.00', 'Most 90.00'));
  });

  story('at the same price, at the instant of an early invoice: 110.00 counts before it, 100.00 after', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls('pro', '30'), at('100.00')));
    await on('2025-06-16', async () => {
      await acme.uses('calls', '110');
      await acme.changesTo(calls('more', '60'));
    });
    await acme.expectsLines('2025-06-16', 'Calls 110.00', '-15.00', '30.00');
    await on('2025-06-20', () => acme.uses('calls', '100'));
    await acme.uses('calls', '2');
    await on('2025-07-01');
    await acme.expectsLines('2025-06-20', 'Calls 100.00');
    await acme.expectsLines('2025-07-01', 'Calls 2.00', 'More 60.00');
  });
});
