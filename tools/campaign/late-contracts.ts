import type { Api } from '../../test/support/api.ts';
import { type Attack, again, type Findings } from './attack.ts';

const HOUR = 3_600_000;
/** Just within what may be signed back. */
const HOURS_BACK = 398;

/**
 * Hourly contracts as far back as can be signed, read and canceled as they catch up; one of 1971; a clock sent decades
 * ahead.
 */
export const lateContracts: Attack = {
  name: 'late contracts',
  restSeconds: 5,
  prepare: async ({ attacker }) => {
    const plan = await attacker.made('/v1/c/plan', {
      ...{ slug: 'hourly', internal_name: 'hourly', strategy: 'plan' },
      pricings: [{ currency: 'usd', cycle: 'hour', price: { amount: '1', strategy_details: { pricing_strategy: 'flat' } } }],
    });
    return (until) => play(attacker, plan, until);
  },
};

async function play(attacker: Api, plan: string, until: number): Promise<Findings> {
  const broken: string[] = [];
  const sign = (customer: string, activation: string) =>
    attacker.post('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'hour', activation });
  const customer = await attacker.made('/v1/c/customer', { name: 'long ago' });
  const ancient = await sign(customer, '1971-01-02T00:00:00Z');
  if (ancient.status !== 400) broken.push(`a contract of 1971 was answered ${ancient.status}`);

  const clock = await attacker.made('/v1/c/test_clock', { now: '2026-01-01T00:00:00Z' });
  const onClock = await attacker.made('/v1/c/customer', { name: 'far ahead', test_clock: clock });
  await attacker.made('/v1/c/contract', { customer: onClock, plan, currency: 'usd', cycle: 'hour' });
  const tooFar = await attacker.post(`/v1/c/test_clock/${clock}/advance`, { now: '2999-01-01T00:00:00Z' });
  if (tooFar.status !== 400) broken.push(`a clock sent a thousand years ahead was answered ${tooFar.status}`);
  await attacker.made(`/v1/c/test_clock/${clock}/advance`, { now: '2055-01-01T00:00:00Z' });

  const back = new Date(Math.floor(Date.now() / HOUR) * HOUR - HOURS_BACK * HOUR).toISOString();
  const signed = await again(until, 2, async () => {
    const someone = await attacker.made('/v1/c/customer', { name: 'late' });
    const contract = await sign(someone, back);
    if (contract.status !== 201) return void broken.push(`signing ${HOURS_BACK} hours back was answered ${contract.status}`);
    const responses = [
      await attacker.get(`/v1/c/contract/${contract.body}`),
      await attacker.post(`/v1/c/contract/${contract.body}/cancel`, NOW),
    ];
    for (const { status } of responses) if (status >= 500 && status !== 503) broken.push(`a late contract was answered ${status}`);
  });
  await attacker.made(`/v1/c/test_clock/${clock}/stop`, {});
  return { notes: [`${signed} contracts ${HOURS_BACK} hours late, signed, read and canceled`], broken };
}

const NOW = { when: { type: 'now' } };
