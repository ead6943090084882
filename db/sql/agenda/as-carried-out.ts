import { CONTRACT_KINDS } from '../../agenda/contract-kinds.ts';

/**
 * In which order rows of one instant are carried out (docs/order-at-one-instant.md): those of a contract and of its
 * payments, and the end of its customer's freeze. Rows of one place follow each other by their ids.
 */
export const PLACES_AT_ONE_INSTANT: readonly (readonly string[])[] = [
  ...CONTRACT_KINDS.map((kind) => [kind]),
  ['payment_gate'],
  ['freeze_end'],
  ['payment_due', 'payment_retry', 'payment_answer'],
  ['dunning_end'],
];

const quoted = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');
const CASES = PLACES_AT_ONE_INSTANT.map((kinds, place) => `when kind in (${quoted(kinds)}) then ${place}`);
const PLACE = `case ${CASES.join(' ')} else ${PLACES_AT_ONE_INSTANT.length} end`;

/**
 * SQL: rows of the agenda, the soonest first, those of one instant in the order in which they are carried out: of
 * several periods the first one closes first, and prices by month come before those by quarter and year.
 */
export const AS_CARRIED_OUT = `due_at, ${PLACE}, (detail ->> 'idx')::int nulls first, detail ->> 'trigger' nulls first, id`;
