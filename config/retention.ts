import { z } from 'zod';
import * as field from './fields.ts';
import type { Environment } from './parse.ts';
import { readVariables } from './parse.ts';

/** Milliseconds for which rows are kept that are no facts of billing; null: for ever. */
export interface RetentionConfig {
  /** answers of requests, and the keys that they were made under */
  answers: number;
  /** messages to workflows, from when they were sent */
  messages: number;
  /** tries of webhooks */
  tries: number;
  /** events of the log */
  events: number | null;
  /** prints of documents with what happened to them since, which can be made again */
  prints: number | null;
  /** imports that nobody has started, from when they were made */
  imports: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const hours = (least: number) => field.duration.refine((kept) => kept >= least * HOUR, `must be ${least}h or more`);
const days = (least: number) => field.duration.refine((kept) => kept >= least * DAY, `must be ${least}d or more`);
const daysOrForever = (least: number) =>
  z
    .union([days(least), z.literal('forever').transform(() => null)], { error: `must be forever, or ${least}d or more` })
    .prefault('forever');

const variables = z
  .object({
    IDEMPOTENCY_KEPT: days(1).prefault('30d'),
    OUTBOX_KEPT: hours(1).prefault('1d'),
    WEBHOOK_LOG_KEPT: field.duration.prefault('30d'),
    EVENT_LOG_KEPT: daysOrForever(7),
    PRINTS_KEPT: daysOrForever(1),
    OPEN_IMPORTS_KEPT: days(1).prefault('30d'),
  })
  // an erasure finds what a receiver answered by the event that it was sent
  .refine(({ EVENT_LOG_KEPT: events, WEBHOOK_LOG_KEPT: tries }) => events === null || events >= tries, {
    path: ['EVENT_LOG_KEPT'],
    error: 'must be at least as long as WEBHOOK_LOG_KEPT',
  });

export function readRetention(env: Environment): RetentionConfig {
  const given = readVariables(variables, env);
  return {
    answers: given.IDEMPOTENCY_KEPT,
    messages: given.OUTBOX_KEPT,
    tries: given.WEBHOOK_LOG_KEPT,
    events: given.EVENT_LOG_KEPT,
    prints: given.PRINTS_KEPT,
    imports: given.OPEN_IMPORTS_KEPT,
  };
}
