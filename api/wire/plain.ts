import { iso } from '../../billing/calendar/instant.ts';

const INSTANTS = new Set(['start', 'end', 'at', 'from', 'to', 'until', 'after', 'date', 'dueAt', 'activation']);

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Plain JSON of the domain in snake_case; instants become date-times. */
function plainToWire(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => plainToWire(entry));
  if (typeof value === 'number' && INSTANTS.has(name)) return iso(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [snake(key), plainToWire(entry, key)]));
}

/** An object of the domain in snake_case; instants become date-times. */
export const recordToWire = (value: Record<string, unknown>): Record<string, unknown> => plainToWire(value) as Record<string, unknown>;
