import { type CancelRequest, planCancellation, planCancelUndo, planChangeUndo } from '../../../billing/contract/cancel.ts';
import { newId } from '../../../db/id.ts';
import type { CommandHandler } from './command.ts';

/** Cancels now, at the end of the cycle or on a date; `request` is a CancelRequest. Answers the contract's id. */
export const cancel: CommandHandler = async ({ life, now, command }) => {
  const request = command.request as unknown as CancelRequest;
  const outcome = planCancellation(life, request, now, newId);
  return { outcome, answer: life.contract.id, note: { when: request.when, credit: request.credit, notes: request.notes } };
};

/** Takes back a cancellation that waits. */
export const cancelUndo: CommandHandler = async ({ life, now }) => ({
  outcome: planCancelUndo(life, now, newId),
  answer: life.contract.id,
  note: {},
});

/** Drops a change that waits. */
export const changeUndo: CommandHandler = async ({ life, now }) => ({
  outcome: planChangeUndo(life, now, newId),
  answer: life.contract.id,
  note: {},
});
