import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { CASES, PAYERS, payable, stageOf } from './cases.ts';
import { type Checkout, startCheckout } from './checkout.ts';
import { print } from './report.ts';
import { playTurn, type Turn } from './turn.ts';

// `node bench/compare/main.ts --before <a checkout> --after <another>`: both run side by side, one stands still while
// the other is measured, in turns. `--cases sign,upgrade`: only some, though what they need is done all the same
const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string' },
    pairs: { type: 'string', default: '5' },
    callers: { type: 'string', default: '8' },
    cases: { type: 'string', default: CASES.map(({ name }) => name).join(',') },
  },
});
if (values.before === undefined || values.after === undefined) throw new Error('--before and --after name the two checkouts');
const log = (line: string): void => console.error(line);

const checkouts: Checkout[] = [];
const stopAll = async (): Promise<void> => {
  for (const checkout of checkouts.splice(0)) await checkout.stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopAll().then(() => process.exit(1)));
try {
  for (const [name, path] of [
    ['before', values.before],
    ['after', values.after],
  ] as const) {
    log(`starting ${name}`);
    checkouts.push(await startCheckout(name, path));
    await checkouts.at(-1)?.halt();
  }
  const turns: Turn[] = [];
  const stages = new Map<Checkout, Awaited<ReturnType<typeof stageOf>>>();
  // the first pair warms up
  for (let pair = 0; pair <= Number(values.pairs); pair += 1) {
    const order = pair % 2 === 0 ? checkouts : [...checkouts].reverse();
    for (const checkout of order) {
      await checkout.proceed();
      const stage = stages.get(checkout) ?? (await stageOf(checkout));
      stages.set(checkout, stage);
      stage.invoices = await Promise.all(Array.from({ length: PAYERS }, () => payable(checkout, stage.plan)));
      const turn = await playTurn(checkout, stage, { callers: Number(values.callers), only: values.cases.split(',') });
      if (pair > 0) turns.push(turn);
      await checkout.halt();
      log(`pair ${pair}, ${checkout.name}: done, load ${loadavg().map((load) => load.toFixed(1))}`);
    }
  }
  print(turns);
} finally {
  await stopAll();
}
