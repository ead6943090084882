import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVendor } from '../../services/vendor-account/create.ts';
import { api } from '../../test/support/api.ts';
import { CASES, stageOf } from '../compare/cases.ts';
import { startCheckout } from '../compare/checkout.ts';
import { programsOf, type System } from '../compare/system.ts';
import { startProduction } from '../production.ts';
import { ourHerd } from './our-herd.ts';
import type { Peer } from './peer.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Ours as `npm start` runs it. */
export async function embeddedShape(): Promise<Peer> {
  const checkout = await startCheckout('npm start', ROOT);
  return ours(checkout, checkout.api);
}

/**
 * Ours as docker-compose.yml runs it: one API and one worker.
 *
 * @param bin folder of the programs of Postgres; without it those that npm has installed, which are built to be small
 */
export async function productionShape(log: (line: string) => void, bin?: string): Promise<Peer> {
  const path = await mkdtemp(join(tmpdir(), 'perennial-shape-'));
  const programs = bin === undefined ? undefined : { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
  const production = await startProduction(path, log, { programs });
  const { child, base, port } = await production.startApi();
  const worker = production.startWorker();
  const { apiKey } = await createVendor(production.db, 'Bench');
  const pids = { api: child.pid, worker: worker.pid, postgres: production.postgres.pid, temporal: production.temporal.pid };
  const system = {
    ...programsOf(pids),
    ...{ name: 'production', port, headers: { 'wb-key': apiKey } },
    stop: async () => {
      await production.stop();
      await rm(path, { recursive: true, force: true });
    },
  };
  return ours(system, api(apiKey, base));
}

const ours = (system: System, calls: ReturnType<typeof api>): Peer => ({
  ...system,
  cases: CASES,
  stage: () => stageOf({ api: calls }),
  herd: (size, callers) => ourHerd(system, calls, { size, callers }),
});
