import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { nowOf } from '../../db/clock/now.ts';
import type { Tx } from '../../db/connect.ts';
import { loadLives } from '../../db/contract/load.ts';
import { noteHistory } from '../../db/contract/park.ts';
import { writeEffects } from '../../db/contract/write.ts';
import { refuseWhileAdvancing } from '../../db/customer/hold.ts';
import { keptBody, storeAnswer, storeUnclaimed } from '../../db/idempotency/answer.ts';
import { Refusal, refusalOf } from '../../db/refusal.ts';
import { wishConfirmed } from '../../db/wish/confirm.ts';
import type { Carried, Command, Json, Operation } from '../../workflows/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { commands } from './commands/index.ts';
import { scheduleOf } from './schedule.ts';

interface Input {
  contractId: string;
  operation: Operation;
  command: Command;
}

/**
 * Carries out one operation of a caller on a contract: what is due first, then the operation, then its answer, all in one transaction. A
 * refusal is final and changes nothing; a repeat of an answered request gets the stored answer.
 */
export const carryOut =
  ({ db, deliver }: Pick<Dependencies, 'db' | 'deliver'>) =>
  async (input: Input): Promise<Carried> => {
    try {
      const { carried, wishes } = await db.transaction((tx) => inOneTransaction(tx, input));
      await deliver(wishes);
      return carried;
    } catch (error) {
      const told = refusalOf(error);
      if (told === null) throw error;
      throw ApplicationFailure.create({
        message: told.message,
        type: told.code,
        nonRetryable: true,
        details: [{ feedback: told.feedback }],
        // a refusal is an answer, not a fault: it isn't logged as one
        category: ApplicationFailureCategory.BENIGN,
      });
    }
  };

async function inOneTransaction(tx: Tx, { contractId, operation, command }: Input): Promise<{ carried: Carried; wishes: string[] }> {
  const stored = await storedAnswer(tx, command);
  if (stored !== undefined) return { carried: { answer: stored, schedule: await scheduleOf(tx, contractId) }, wishes: [] };
  requireInTime(command);
  const before = await scheduleOf(tx, contractId);
  if (before.vendorId !== command.vendorId) throw new Refusal('contract_not_found', `There is no contract ${contractId}.`);
  await refuseWhileAdvancing(tx, before.clockId);
  const now = await nowOf(tx, before.clockId);
  const [life] = await loadLives(tx, [contractId], now, { lock: 'wait' });
  if (life === undefined) throw new Refusal('contract_not_found', `There is no contract ${contractId}.`);
  const parked = life.contract.parkedReason;
  if (parked !== null && operation !== 'resume') throw new Refusal('contract_state', `The contract is parked: ${parked}`);
  const { outcome, basis, answer, note } = await commands[operation]({ tx, life, now, command });
  // asked before it came about: the timeline tells both in this order
  if (note !== undefined) await noteHistory(tx, contractId, now, operation, { ...note, keyId: command.keyId });
  const wishes = outcome === null ? [] : await writeEffects(tx, [{ before: life, at: now, ...basis, outcome }]);
  // waiting for the rows may have taken long, and by then the caller has been told that nothing was done
  requireInTime(command);
  await keepAnswer(tx, command, answer);
  await wishConfirmed(tx, { contractId, ...command.answer }, command.deadline);
  return { carried: { answer, schedule: await scheduleOf(tx, contractId) }, wishes };
}

function requireInTime({ deadline }: Command): void {
  if (Date.now() > deadline) throw new Refusal('unavailable', 'The deadline has passed.');
}

async function storedAnswer(tx: Tx, { answer }: Command): Promise<Json | undefined> {
  const body = await keptBody(tx, answer);
  return body === undefined ? undefined : (JSON.parse(body) as Json);
}

async function keepAnswer(tx: Tx, { answer: ref, claimed, status }: Command, answer: Json): Promise<void> {
  const stored = { status, body: JSON.stringify(answer), headers: {}, secret: false };
  const kept = claimed ? await storeAnswer(tx, ref, stored) : await storeUnclaimed(tx, ref, stored, Date.now());
  if (!kept) throw new Refusal('idempotency_in_progress', 'The same request has been answered meanwhile.');
}
