import { activate, cancel, cancelUndo, change, changeAsEstimated, charge, sign, undo } from './contract-acts.ts';
import { chooseMethod, decideAtBank, dropGated, gate } from './gate-acts.ts';
import { buyCredits, creditNote, credits, grant, invoice, pay, validate, voidCredits } from './money-acts.ts';
import { advance, endFreeze, freeze, repeat } from './time-acts.ts';
import { amend, closeUsage, discard, mark, use } from './usage-acts.ts';
import type { World } from './world.ts';

/** Three numbers that choose whom, what and how; each act reads them its own way. */
export interface Dice {
  a: number;
  b: number;
  c: number;
}

/** Something a vendor may do at any moment, sensible or not. It throws only when the service broke its word. */
export type Act = (world: World, dice: Dice) => Promise<void>;

export const ACTS = {
  sign,
  use,
  mark,
  amend,
  discard,
  closeUsage,
  change,
  changeAsEstimated,
  undo,
  cancel,
  cancelUndo,
  activate,
  charge,
  freeze,
  endFreeze,
  grant,
  credits,
  buyCredits,
  voidCredits,
  pay,
  invoice,
  validate,
  creditNote,
  gate,
  chooseMethod,
  decideAtBank,
  dropGated,
  repeat,
  advance,
} satisfies Record<string, Act>;

export type ActName = keyof typeof ACTS;

/** How often each comes. */
export const WEIGHTS: Readonly<Record<ActName, number>> = {
  sign: 5,
  use: 7,
  mark: 2,
  amend: 2,
  discard: 1,
  closeUsage: 2,
  change: 6,
  changeAsEstimated: 3,
  undo: 1,
  cancel: 2,
  cancelUndo: 1,
  activate: 1,
  charge: 2,
  freeze: 2,
  endFreeze: 3,
  credits: 2,
  buyCredits: 2,
  voidCredits: 1,
  grant: 2,
  pay: 2,
  invoice: 1,
  validate: 1,
  creditNote: 1,
  gate: 6,
  chooseMethod: 2,
  decideAtBank: 2,
  dropGated: 1,
  repeat: 2,
  advance: 6,
};
