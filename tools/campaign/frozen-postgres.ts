import { type Attack, again, type Findings, pause, timed } from './attack.ts';
import type { Stage } from './stage.ts';

/**
 * The longest that a request may take: 5 s, and 5 s more for a write, whose COMMIT may have been cut off; each with a
 * second more for a busy machine.
 */
const LONGEST_MS = { read: 6_000, write: 11_000 };
const FROZEN_MS = 15_000;

/** Postgres is stopped but not dead: every request is answered all the same, and everything works once it goes on. */
export const frozenPostgres: Attack = {
  name: 'frozen Postgres',
  restSeconds: 8,
  prepare: async (stage) => {
    const { freezePostgres } = stage;
    return freezePostgres === null ? null : () => play(stage, freezePostgres);
  },
};

async function play({ attacker }: Stage, freeze: () => Promise<() => void>): Promise<Findings> {
  const slowest = { read: 0, write: 0 };
  const statuses = new Map<number, number>();
  const goOn = await freeze();
  try {
    await again(Date.now() + FROZEN_MS - LONGEST_MS.write, 5, async (n) => {
      const kind = n % 2 === 0 ? 'read' : 'write';
      const ask = () => (kind === 'read' ? attacker.get('/v1/c/plan?limit=1') : attacker.post('/v1/c/customer', { name: 'frozen' }));
      const { value, ms } = await timed(ask);
      slowest[kind] = Math.max(slowest[kind], ms);
      statuses.set(value.status, (statuses.get(value.status) ?? 0) + 1);
    });
  } finally {
    goOn();
  }
  const { ms: recovered } = await timed(async () => {
    while ((await attacker.get('/v1/c/plan?limit=1')).status !== 200) await pause(100);
  });
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const notes = [
    `responses meanwhile: ${counts}, the slowest read after ${Math.round(slowest.read)} ms, write after ${Math.round(slowest.write)} ms`,
    `well again ${Math.round(recovered)} ms after it went on`,
  ];
  const kinds = ['read', 'write'] as const;
  const broken = kinds.filter((kind) => slowest[kind] > LONGEST_MS[kind]).map((kind) => `a ${kind} waited ${Math.round(slowest[kind])} ms`);
  return { notes, broken };
}
