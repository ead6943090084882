import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { RefusalCode } from '../../billing/refusal.ts';
import type { Caller } from '../transaction.ts';
import { Plan } from './catalogue.ts';
import { flag, id, instant, oneOf, textColumn, whole } from './columns.ts';
import { ApiKey, Person, Vendor } from './vendor.ts';

type PlanMoveStatus = 'running' | 'stopped' | 'done';

/** When the changes of a move take effect, as a caller says it of a single change. */
export type PlanMoveTime = 'immediate' | 'next_cycle';

/** A move of a plan's contracts to its newest version, or to another plan. */
export const PlanMove = defineEntity({
  name: 'PlanMove',
  tableName: 'plan_move',
  indexes: [{ properties: ['vendorId'] }, { properties: ['planId', 'created', 'id'] }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    planId: () => p.manyToOne(Plan).mapToPk().joinColumn('plan_id'),
    /** the same plan for its newest version */
    toPlanId: () => p.manyToOne(Plan).mapToPk().joinColumn('to_plan_id'),
    time: oneOf<PlanMoveTime>(),
    /** who asked for it: a key, somebody in the console with one, or a person */
    callerType: oneOf<Caller['type']>(),
    keyId: () => p.manyToOne(ApiKey).mapToPk().joinColumn('key_id').strictNullable().deleteRule('no action'),
    personId: () => p.manyToOne(Person).mapToPk().joinColumn('person_id').strictNullable().deleteRule('no action'),
    status: oneOf<PlanMoveStatus>().default('running'),
    /** how many contracts it has; as counted at its start until all of them are listed */
    total: whole(),
    /** the contracts are listed page by page: up to this one */
    listedTo: textColumn().strictNullable(),
    isListed: flag().default(false),
    created: instant(),
    ended: instant().strictNullable(),
  },
});
export type PlanMoveRecord = InferEntity<typeof PlanMove>;

/** A contract of a move, and what became of it; its outcome is written in the transaction of its change. */
export const PlanMoveContract = defineEntity({
  name: 'PlanMoveContract',
  tableName: 'plan_move_contract',
  indexes: [
    { name: 'plan_move_contract_waiting_index', properties: ['moveId', 'contractId'], where: 'outcome is null' },
    { name: 'plan_move_contract_outcome_index', properties: ['moveId', 'outcome', 'at', 'contractId'] },
  ],
  properties: {
    moveId: () => p.manyToOne(PlanMove).mapToPk().joinColumn('move_id').primary(),
    contractId: textColumn().primary(),
    /** null: still to be moved */
    outcome: oneOf<'moved' | 'refused'>().strictNullable(),
    /** why it was refused */
    code: oneOf<MoveRefusalCode>().strictNullable(),
    newContractId: textColumn().strictNullable(),
    at: instant().strictNullable(),
  },
});

/** `internal_error`: its change failed in a way that nobody expects. */
export type MoveRefusalCode = RefusalCode | 'internal_error';
