import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Bystander, type Latency } from '../../bench/rollover/bystander.ts';
import { type Attack, pause } from './attack.ts';
import { bigPdfs } from './big-pdfs.ts';
import { frozenPostgres } from './frozen-postgres.ts';
import { lateContracts } from './late-contracts.ts';
import { Rollovers } from './rollovers.ts';
import { openStage, type Stage } from './stage.ts';
import { wrongBodies } from './wrong-bodies.ts';

// `npm run campaign -- abuse`: plays what a vendor, or a caller without a key, could do to everybody else, and prints
// what a bystander notices of it. `--home .perennial`: against the copy that `npm start` runs there, not one of its
// own; its Postgres is then left alone. `--seconds 20`: how long each part lasts. `--only "big PDFs"`: one of them.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { home: { type: 'string' }, seconds: { type: 'string', default: '20' }, only: { type: 'string' } },
});

const CAMPAIGNS: Readonly<Record<string, readonly Attack[]>> = { abuse: [lateContracts, wrongBodies, bigPdfs, frozenPostgres] };
/** By which factor an attack may slow a bystander down at most. */
const MOST_TIMES_SLOWER = 3;
/** A p99 below this is good whatever the factor: it says more about the machine than about the service. */
const UNNOTICED_MS = 25;
const ON_TIME_MS = 10_000;

const WARM_UP_MS = 3_000;

const attacks = CAMPAIGNS[positionals[0] ?? ''];
if (attacks === undefined || positionals.length !== 1) {
  console.error(`usage: npm run campaign -- ${Object.keys(CAMPAIGNS).join('|')} [--home DIR] [--seconds N] [--only NAME]`);
  process.exit(2);
}

interface Result {
  readonly name: string;
  readonly without: Latency;
  readonly during: Latency;
  readonly late: number;
  readonly notes: readonly string[];
  readonly broken: readonly string[];
}

const stage = await openStage(values.home ?? null);
try {
  const bystander = await Bystander.arrive(stage.db, stage.base);
  const rollovers = await Rollovers.of(stage.db, stage.base);
  const results: Result[] = [];
  for (const attack of attacks.filter(({ name }) => values.only === undefined || values.only === name)) {
    const result = await play(attack, stage, bystander, rollovers);
    if (result !== null) results.push(result);
  }
  bystander.leave();
  for (const result of results) print(result);
  console.log(`\nload ${loadavg().map((load) => load.toFixed(1))}`);
  if (results.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
} finally {
  await stage.leave();
}

async function play(attack: Attack, at: Stage, bystander: Bystander, rollovers: Rollovers): Promise<Result | null> {
  const begin = await attack.prepare(at);
  if (begin === null) return null;
  const ms = Number(values.seconds) * 1000;
  console.error(`${attack.name}: ${values.seconds} s without, then with`);
  bystander.begin();
  await pause(WARM_UP_MS);
  const calm = Date.now();
  await pause(ms);
  const start = Date.now();
  const lateness = await rollovers.endingAt(start + ms / 2);
  const { notes, broken } = await begin(start + ms);
  const end = Date.now();
  const [without, during] = [bystander.between(calm, start), bystander.between(start, end)];
  await pause(attack.restSeconds * 1000);
  bystander.pause();
  const result = { name: attack.name, without, during, late: await lateness(), notes, broken };
  return attack === frozenPostgres ? result : { ...result, broken: [...broken, ...unfair(result)] };
}

/** What the bystander noticed beyond the bounds, while everything that its requests need was running. */
function unfair({ without, during, late }: Result): string[] {
  const slower = during.p99 / without.p99;
  return [
    ...(slower > MOST_TIMES_SLOWER && during.p99 > UNNOTICED_MS ? [`the bystander’s p99 is ${slower.toFixed(1)} times what it was`] : []),
    ...(during.failures > 0 ? [`${during.failures} of the bystander’s requests failed`] : []),
    ...(late > ON_TIME_MS ? [`the bystander’s rollovers came ${Math.round(late / 1000)} s late`] : []),
  ];
}

function print({ name, without, during, late, notes, broken }: Result): void {
  const text = ({ p50, p99, requests, failures }: Latency) =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (${requests} requests, ${failures} failed)`;
  console.log(`\n${name}`);
  console.log(`  bystander without: ${text(without)}`);
  console.log(`  bystander with:    ${text(during)}, ${(during.p99 / without.p99).toFixed(1)} times the p99`);
  console.log(
    `  his rollovers:     at most ${Number.isFinite(late) ? `${(late / 1000).toFixed(1)} s` : 'a minute and more'} after their time`,
  );
  for (const note of notes) console.log(`  ${note}`);
  console.log(broken.length === 0 ? '  as it should be' : broken.map((line) => `  NOT AS IT SHOULD BE: ${line}`).join('\n'));
}
