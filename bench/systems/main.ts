import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { playTurn, type Turn } from '../compare/turn.ts';
import { type BillRun, playBillRun } from './bill-run.ts';
import { emptyHandler } from './empty.ts';
import { killBillAt } from './killbill.ts';
import type { Peer } from './peer.ts';
import { embeddedShape, productionShape } from './shapes.ts';
import { print } from './table.ts';

// `npm run bench:compare`: the tree at hand as `npm start` runs it and in the shape of docker-compose.yml, in turns,
// each warmed up; one stands still while another is measured. `--killbill http://127.0.0.1:8080` adds a Kill Bill that
// runs there in test mode, `--killbill-pids 123,456` the processor time of its server and its Postgres. `--herd 1000`:
// contracts of the burst and the bill run. `--warm 90`: seconds for which each is warmed up. `--many 4`: so many times
// the requests of the cases that have few. `--shapes a`: only one of ours. `--postgres /usr/lib/postgresql/18/bin`:
// the programs of Postgres in the shape of docker-compose.yml, whose image is compiled for speed and npm's for size
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '5' },
    callers: { type: 'string', default: '16' },
    warm: { type: 'string', default: '90' },
    herd: { type: 'string', default: '1000' },
    many: { type: 'string', default: '1' },
    shapes: { type: 'string', default: 'a,b' },
    postgres: { type: 'string' },
    killbill: { type: 'string' },
    'killbill-pids': { type: 'string', default: '' },
  },
});
const [pairs = 0, callers = 0, herd = 0, warm = 0, many = 1] = [values.pairs, values.callers, values.herd, values.warm, values.many].map(
  Number,
);
const log = (line: string): void => console.error(line);
const usage = ['usage one', 'usage 100', 'usage 100 for one customer'];
/** Payments have no counterpart: the sandbox answers within the process. */
const only = ['customer create', 'sign', 'contract read', 'entitlement', ...usage, 'estimate', 'upgrade'];

const peers: Peer[] = [];
const stopAll = async (): Promise<void> => {
  for (const peer of peers.splice(0)) {
    await peer.proceed();
    await peer.stop();
  }
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stopAll().then(() => process.exit(1)));

async function join(starting: Promise<Peer>): Promise<void> {
  const peer = await starting;
  peers.push(peer);
  await peer.halt();
  log(`${peer.name} runs`);
}

try {
  if (values.shapes.includes('a')) await join(embeddedShape());
  if (values.shapes.includes('b')) await join(productionShape(log, values.postgres));
  const pids = values['killbill-pids'].split(',').filter(Boolean).map(Number);
  if (values.killbill !== undefined) await join(killBillAt(values.killbill, pids));
  const empty = await emptyHandler(callers);
  const stages = new Map<Peer, Awaited<ReturnType<Peer['stage']>>>();
  const billRuns = new Map<string, BillRun>();
  const turns: Turn[] = [];
  const turnOf = async (peer: Peer): Promise<Turn> => {
    const stage = stages.get(peer) ?? (await peer.stage());
    stages.set(peer, stage);
    return playTurn(peer, stage, { callers, only, cases: peer.cases, many });
  };
  const warmUp = async (peer: Peer): Promise<void> => {
    const until = performance.now() + warm * 1000;
    let turn = await turnOf(peer);
    while (performance.now() < until) turn = await turnOf(peer);
    if (herd > 0) billRuns.set(peer.name, await playBillRun(peer, peer.herd(herd, callers), { size: herd, callers, idle: turn.idle }));
  };
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  const report = (played: number): void => {
    console.log(
      `\ncommit ${commit}, ${callers} callers, medians of ${played} turns each, load ${loadavg().map((load) => load.toFixed(1))}`,
    );
    print({ names: peers.map(({ name }) => name), turns, billRuns, empty });
  };
  // the first pair warms up, and ends with the bill runs; a table after each other pair, so that one may stop the run
  for (let pair = 0; pair <= pairs; pair += 1) {
    for (const peer of pair % 2 === 0 ? peers : peers.toReversed()) {
      await peer.proceed();
      if (pair > 0) turns.push(await turnOf(peer));
      else await warmUp(peer);
      await peer.halt();
      log(`pair ${pair}, ${peer.name}: done, load ${loadavg().map((load) => load.toFixed(1))}`);
    }
    if (pair > 0) report(pair);
  }
} finally {
  await stopAll();
}
