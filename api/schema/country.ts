import { iso31661 } from 'iso-3166/1.js';
import { iso31661Alpha3ToAlpha2 } from 'iso-3166/1-a3-to-1-a2.js';
import { iso31661Reserved } from 'iso-3166/1-reserved.js';
import { iso31663 } from 'iso-3166/3.js';
import { z } from 'zod';

const CODES = iso31661.map(({ alpha2 }) => alpha2);
const NAMES = iso31661.map(({ name, alpha2 }) => ({ name: name.toLowerCase(), alpha2 }));
const MESSAGE = 'must be an assigned ISO 3166-1 alpha-2 code';
/** A shorter beginning of a name could mean many countries. */
const SHORTEST_NAME = 4;
const LONGEST_NAME = 60;

/** The assigned code that each other code most likely means. */
const LIKELY_CODE: ReadonlyMap<string, string> = new Map([
  ...CODES.map((code) => [code, code] as const),
  ...Object.entries(iso31661Alpha3ToAlpha2),
  ...iso31663.flatMap(({ from, to: [only, ...others] }) =>
    CODES.includes(from.alpha2) || only?.state !== 'assigned' || others.length > 0 ? [] : [[from.alpha2, only.alpha2] as const],
  ),
  ...iso31661Reserved.flatMap(({ alpha2, name }) => {
    const code = codeOfName(name);
    return code === null ? [] : [[alpha2, code] as const];
  }),
  // the European Commission's code for Greece, which is in no ISO list
  ['EL', 'GR'],
]);

/**
 * The code that is most likely meant by another spelling, an old or unofficial code, three letters or a name.
 * Null where there is no such code or more than one.
 *
 * @example likelyCountry('UK') // 'GB'
 */
export function likelyCountry(given: string): string | null {
  const text = given.trim();
  return LIKELY_CODE.get(text.toUpperCase()) ?? codeOfName(text);
}

function codeOfName(name: string): string | null {
  if (name.length < SHORTEST_NAME || name.length > LONGEST_NAME) return null;
  const start = name.toLowerCase();
  const named = NAMES.filter((country) => country.name.startsWith(start));
  const [one] = named.length === 1 ? named : named.filter((country) => country.name === start);
  return one?.alpha2 ?? null;
}

function messageFor(given: unknown): string {
  if (given === undefined) return 'is required';
  const likely = typeof given === 'string' ? likelyCountry(given) : null;
  return likely === null ? MESSAGE : `${MESSAGE}: ${likely} instead of ${String(given).trim()}`;
}

/** A country in a request. */
export const Country = z
  .enum(CODES as [string, ...string[]], { error: ({ input }) => messageFor(input) })
  .meta({ id: 'Country', description: 'An assigned ISO 3166-1 alpha-2 code; the United Kingdom is GB, Greece is GR.', examples: ['DE'] });
