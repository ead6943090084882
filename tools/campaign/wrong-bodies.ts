import { type Attack, again, type Findings, slowestPulse, timed } from './attack.ts';
import type { Stage } from './stage.ts';

const [LONGEST_MS, LONGEST_PULSE_MS, LONGEST_ANSWER] = [500, 1_000, 20_000];

const numbered = (count: number, prefix: string, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, value]));

const BODIES: Readonly<Record<string, string>> = {
  '90,000 unknown keys': JSON.stringify(numbered(90_000, 'k', 1)),
  '70,000 addresses': JSON.stringify({ addresses: numbered(70_000, 'a', {}) }),
  '100 addresses of 900 unknown keys': JSON.stringify({ addresses: numbered(100, 'a', numbered(900, 'k', 1)) }),
  'a text without an end': `{"name":"${'x'.repeat(1_000_000)}`,
};

/** Bodies with as many errors as fit into a megabyte: each by itself, timed, then all of them again and again. */
export const wrongBodies: Attack = {
  name: 'wrong bodies',
  restSeconds: 1,
  prepare: async (stage) => (until) => play(stage, until),
};

async function play({ base, attacker }: Stage, until: number): Promise<Findings> {
  const [notes, broken]: [string[], string[]] = [[], []];
  const send = (body: string) => attacker.post('/v1/c/customer', body);
  for (const [name, body] of Object.entries(BODIES)) {
    const { value, ms: pulse } = await slowestPulse(
      base,
      timed(() => send(body)),
    );
    const size = JSON.stringify(value.value.body).length;
    notes.push(
      `${name}: ${value.value.status} in ${Math.round(value.ms)} ms, ${size} characters; /healthz beside it ${Math.round(pulse)} ms`,
    );
    if (value.value.status !== 400 || value.ms > LONGEST_MS || size > LONGEST_ANSWER || pulse > LONGEST_PULSE_MS)
      broken.push(notes.at(-1) ?? '');
  }
  const all = Object.values(BODIES);
  const sent = await again(until, 2, async (n) => void (await send(all[n % all.length] ?? '')));
  return { notes: [...notes, `${sent} more of them, two at a time`], broken };
}
