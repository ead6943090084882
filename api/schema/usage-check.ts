import { z } from 'zod';
import { Currency, DecimalInput, DecimalText, idSchema, Slug, Timestamp } from './common.ts';
import { LimitId } from './usage-limit.ts';

export const ReservationId = idSchema('Rsv').meta({ id: 'ReservationId', description: 'Id of units that are reserved for a customer.' });

/** A day: what is kept longer is usage. */
const MOST_SECONDS = 86_400;

export const CheckRequest = z
  .strictObject({
    feature_slug: Slug.describe('The feature to be used.'),
    units: DecimalInput.describe('Units to be used. Not negative.'),
    reserve_seconds: z
      .int()
      .min(1)
      .max(MOST_SECONDS)
      .nullish()
      .describe('Keeps the units for so long, on the customer’s clock, if they are allowed. Null or absent: they are not kept.'),
  })
  .meta({ id: 'CheckRequest', description: 'Asks whether a customer may use a feature.' });

export const UsageCheck = z
  .object({
    allowed: z.boolean().describe('Whether it may use the units now.'),
    reason: z
      .enum(['limit_reached', 'customer_frozen', 'customer_erased', 'feature_not_included'])
      .nullable()
      .describe('Why not; feature_not_included: no active contract has the feature. Null when allowed.'),
    limit: DecimalText.nullable().describe(
      'The limit that refuses, or leaves the least: of units, or of money where that refuses or none of units holds. Null without one.',
    ),
    limit_id: LimitId.nullable().describe('Its id; null without one.'),
    currency: Currency.optional().describe(
      'Of a limit of money: `limit`, `used`, `reserved` and `remaining` are then what usage comes to. Absent: they are units.',
    ),
    used: DecimalText.describe('Counted in the window of that limit, without one in the running usage period.'),
    reserved: DecimalText.describe('What is kept in it, with that of this check.'),
    remaining: DecimalText.nullable().describe('What is left of the limit, with what is reserved taken off; null without a limit.'),
    resets_at: Timestamp.nullable().describe('When its window ends; null where no end is known.'),
    reservation: ReservationId.optional().describe('The units that this check keeps, to be confirmed or released; absent for none.'),
    expires: Timestamp.optional().describe('When the reservation ends by itself; absent for none.'),
  })
  .meta({ id: 'UsageCheck', description: 'Whether a customer may use a feature, and how much of it is left.' });

export const ReservationConfirmRequest = z
  .strictObject({
    units: DecimalInput.nullish().describe('Units that were used, at most those reserved; the rest is free again. Null or absent: all.'),
  })
  .meta({ id: 'ReservationConfirmRequest', description: 'What was used of a reservation.' });
