import type { Instant } from '../../billing/calendar/instant.ts';
import { advance } from '../../billing/contract/advance/advance.ts';
import { MOST_INSTANTS, mostInstantsOf } from '../../billing/contract/advance/catching-up.ts';
import { advanceAndLook } from '../../billing/contract/charge/threshold.ts';
import { agendaOf, duesOf } from '../../billing/contract/period/schedule.ts';
import type { ContractSnapshot, NewId, Outcome } from '../../billing/contract/types.ts';
import { newId as anyId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { applyToBatch, type BatchOptions, type BatchResult } from './batch.ts';
import { type Decided, writeAgenda } from './write.ts';

/**
 * The most steps of all contracts together in one transaction, not counting the first step of each; the rest stays on
 * the agenda.
 */
const MOST_STEPS = 200;

/**
 * Does everything that is due for these contracts up to an instant, in one transaction: the one way in which a contract
 * comes into its next period, whether its own timer, a bill run, a test clock or a signing asks for it. Run again it
 * changes nothing.
 */
export async function advanceBatch(
  tx: Tx,
  ids: readonly string[],
  upTo: Instant,
  { lock, instants = MOST_INSTANTS, newId = anyId }: Pick<BatchOptions, 'lock'> & { instants?: number; newId?: NewId } = {},
): Promise<BatchResult> {
  let left = MOST_STEPS;
  const rule = (before: ContractSnapshot): Outcome => {
    const most = Math.min(instants, mostInstantsOf(before.contract));
    const outcome = advanceAndLook(before, upTo, newId, { instants: left > 0 ? most : 1 });
    left -= outcome.effects.periods.length;
    return outcome;
  };
  const result = await applyToBatch(tx, ids, upTo, rule, { running: 'ending', looks: true, ...(lock === undefined ? {} : { lock }) });
  await correctAgendas(tx, result.decided);
  return result;
}

/**
 * A contract that was listed as due although nothing was to be done has a stale agenda row. Its rows are written again,
 * otherwise it would be found due for ever.
 */
async function correctAgendas(tx: Tx, decided: readonly Decided[]): Promise<void> {
  const idle = decided.filter(({ outcome }) => outcome.effects.agenda.length === 0);
  await writeAgenda(
    tx,
    idle.map(({ outcome: { snapshot } }) => ({
      contract: snapshot.contract,
      rows: agendaOf(snapshot.contract, snapshot.periods, snapshot.customer.pauses),
      isLookedAt: true,
    })),
  );
}

/**
 * A snapshot brought to an instant in memory, for reads; null when it is later than one computation carries out.
 * Nothing is written.
 */
export function advancedSnapshot(snapshot: ContractSnapshot, upTo: Instant): ContractSnapshot | null {
  const after = advance(snapshot, upTo, anyId, { instants: MOST_INSTANTS }).snapshot;
  const [next] = duesOf(after.contract, after.periods, after.customer.pauses);
  return next !== undefined && next.at <= upTo ? null : after;
}
