import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

// `npm run fuzz`: all properties with one random seed after another until one fails or time is up;
// `-- --minutes 5 --seed 7 --runs 1000`
const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' }, runs: { type: 'string' } } });
const until = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;
const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '--testPathPatterns', 'test/billing/'];

do {
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const globals = { RUNS: Number(values.runs ?? 1_000), SEED: seed };
  console.log(`seed ${seed}: repeat with npm run fuzz -- --seed ${seed} --runs ${globals.RUNS}`);
  const limits = ['--testTimeout', '1800000', '--silent', '--globals', JSON.stringify(globals)];
  const { status } = spawnSync(process.execPath, [...jest, ...limits], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
} while (values.seed === undefined && Date.now() < until);
