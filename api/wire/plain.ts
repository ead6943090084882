import { iso } from '../../billing/calendar/instant.ts';

const INSTANTS = new Set(['start', 'end', 'at', 'from', 'to', 'until', 'after', 'date', 'dueAt', 'activation']);

/** An invoice of ten thousand lines repeats the same few names in each; longer ones may be ids. */
const SNAKE = new Map<string, string>();
const [MOST_KEPT, KEPT_LENGTH] = [1_000, 32];

function snake(name: string): string {
  const known = SNAKE.get(name);
  if (known !== undefined) return known;
  const written = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (name.length <= KEPT_LENGTH && SNAKE.size < MOST_KEPT) SNAKE.set(name, written);
  return written;
}

/** Plain JSON of the domain in snake_case; instants become date-times. */
function plainToWire(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => plainToWire(entry));
  if (typeof value === 'number' && INSTANTS.has(name)) return iso(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [snake(key), plainToWire(entry, key)]));
}

/** An object of the domain in snake_case; instants become date-times. */
export const recordToWire = (value: Record<string, unknown>): Record<string, unknown> => plainToWire(value) as Record<string, unknown>;
