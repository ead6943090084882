import { flatPrice, perUnitPrice } from '../api/support.ts';
import type { AnyJson, TestResponse } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/runs.ts';
import type { TestVendor } from '../support/vendor.ts';
import { booksOf, expectSettled, repeatingVendor } from './books.ts';

const HOUR = 3_600_000;
const CONTRACTS = 4;
/** Of each contract, however slow the machine is. */
const FEWEST_CHANGES = 3;
const ROUNDS = Array.from({ length: rounds(1, 20) }, (_, round) => round);

let vendor: TestVendor;
let plan: string;
beforeAll(async () => {
  vendor = await repeatingVendor();
  const pricings = [{ currency: 'usd', cycle: 'hour', price: flatPrice('1.00'), features: { seats: perUnitPrice('10', '5') } }];
  const features = [{ slug: 'seats', name: 'Seats' }];
  plan = await vendor.api.made('/v1/c/plan', { slug: 'hourly', internal_name: 'Hourly', strategy: 'plan', features, pricings });
});

const changesSeats = (contract: string, seats: number): Promise<TestResponse> =>
  vendor.api.post(`/v1/c/contract/${contract}/upgrade`, {
    upgrade_configuration: { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: String(seats) } },
    downgrade_allowed: true,
  });

/** Changes to 6 and 7 seats in turn until the boundary has passed. Returns the last contract of the chain. */
async function flutter(contract: string, boundary: number): Promise<{ live: string; answers: TestResponse[] }> {
  const answers: TestResponse[] = [];
  let live = contract;
  const changes = (): number => answers.filter(({ status }) => status === 200).length;
  for (let n = 0; Date.now() < boundary + 1_000 || changes() < FEWEST_CHANGES; n += 1) {
    const answer = await changesSeats(live, 6 + (n % 2));
    if (answer.status === 200) live = answer.body;
    answers.push(answer);
  }
  return { live, answers };
}

/** Freezes and activates in turn meanwhile, and ends active. */
async function flicker(customer: string, boundary: number): Promise<TestResponse[]> {
  const answers: TestResponse[] = [];
  while (Date.now() < boundary + 1_000) {
    answers.push(await vendor.api.post(`/v1/c/customer/${customer}/inactivate`, {}));
    answers.push(await vendor.api.post(`/v1/c/customer/${customer}/activate`, {}));
  }
  return answers;
}

/** When the plan's own price was charged for a whole hour: a change of seats leaves that line alone. */
const hoursOf = async (customer: string): Promise<number[]> => {
  const { invoices } = await booksOf(vendor.api, customer);
  const whole = invoices.filter(({ invoice_items }) =>
    invoice_items.some(({ name, subtotal }: AnyJson) => name.startsWith('Hourly') && subtotal === '1.00'),
  );
  return whole.map(({ invoice }) => Date.parse(invoice.date)).sort();
};

describe.each(ROUNDS)('while the second hour of contracts begins (round %i)', (round) => {
  it.each(['', ', some of them frozen and activated over and over'])(
    `${CONTRACTS} are changed over and over%s: each is live once, its second hour billed once`,
    async (also) => {
      const boundary = Date.now() + 4_000 + round * 37;
      const activation = new Date(boundary - HOUR).toISOString();
      const signed: { customer: string; contract: string }[] = [];
      for (let i = 0; i < CONTRACTS; i += 1) {
        const customer = await vendor.api.made('/v1/c/customer', { name: 'Acme' });
        signed.push({
          customer,
          contract: await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'hour', activation }),
        });
      }
      await eventually(() => expect(Date.now()).toBeGreaterThan(boundary - 700), { every: 20 });
      const frozen = also === '' ? [] : signed.slice(0, CONTRACTS / 2);
      const [chains, freezes] = await Promise.all([
        Promise.all(signed.map(({ contract }) => flutter(contract, boundary))),
        Promise.all(frozen.map(({ customer }) => flicker(customer, boundary))),
      ]);
      const answers = chains.flatMap((chain) => chain.answers);
      expectSettled([...answers, ...freezes.flat()]);
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(FEWEST_CHANGES * CONTRACTS);

      for (const [i, { customer }] of signed.entries()) {
        const { live } = await booksOf(vendor.api, customer);
        expect(live.map(({ id }) => id)).toEqual([chains[i]?.live]);
        const hours = await eventually(async () => {
          const found = await hoursOf(customer);
          expect(found).toHaveLength(2);
          return found;
        });
        expect(hours[0]).toBe(boundary - HOUR);
        if (frozen.includes(signed[i] as never)) expect(hours[1]).toBeGreaterThanOrEqual(boundary);
        else expect(hours[1]).toBe(boundary);
      }
    },
  );
});
