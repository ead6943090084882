import type { Latency } from './bystander.ts';
import type { Result } from './measure.ts';

const round = (value: number | undefined, digits = 0): string => (value === undefined ? '' : value.toFixed(digits));
const latency = (one: Latency | undefined): string =>
  one === undefined ? '' : `${round(one.p50, 1)} / ${round(one.p99, 1)} ms (${one.requests}, ${one.failures} failed)`;

/** The whole, and its parts. */
function costText(parts: Record<string, number>): string {
  const whole = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const named = Object.entries(parts).map(([name, part]) => `${name} ${round(part, 2)}`);
  return `${round(whole, 2)} (${named.join(', ')})`;
}

/** Three tables: the herd, what it costs, and the API beside it. */
export function print(results: readonly Result[]): void {
  console.log(
    '\n| run | contracts | invoices/s | seconds in all | p99 to the invoice | p99 to the next timer | a test clock meanwhile | wrong | missing | worker | server |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const one of results) {
    const cells = [
      one.name,
      one.size,
      round(one.perSecond),
      round(one.seconds, 2),
      round(one.invoiceLag, 2),
      round(one.timerLag, 1),
      round(one.clockSeconds, 2),
    ];
    console.log(`| ${[...cells, one.wrong, one.missing, round(one.workerMegabytes), round(one.serverMegabytes)].join(' | ')} |`);
  }
  console.log('\n| run | contracts | processor ms a contract to the last invoice | to the last next timer |');
  console.log('| --- | --- | --- | --- |');
  for (const { name, size, cost } of results) {
    if (cost !== undefined) console.log(`| ${[name, size, costText(cost.toInvoice), costText(cost.toTimer)].join(' | ')} |`);
  }
  console.log(
    '\n| run | contracts | API before, p50 / p99 | while invoices are written | until the last next timer | workflows made ready a second |',
  );
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const { name, size, api, readyPerSecond } of results.filter((one) => one.api !== undefined)) {
    const cells = [latency(api?.before), latency(api?.writing), latency(api?.waking), round(readyPerSecond)];
    console.log(`| ${[name, size, ...cells].join(' | ')} |`);
  }
}
