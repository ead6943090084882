import { defineEntity } from '@mikro-orm/core';
import type { MrrMoveKind } from '../../billing/contract/mrr/moves.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { big, id, instant, moneyColumn, oneOf, serial, textColumn, whole } from './columns.ts';

/** One change of a chain's MRR. Never changed, never deleted. */
export const MrrMoveRecord = defineEntity({
  name: 'MrrMoveRecord',
  tableName: 'mrr_move',
  indexes: [{ properties: ['vendorId', 'clockId', 'at', 'id'] }],
  uniques: [{ name: 'mrr_move_number_unique', properties: ['rootId', 'currency', 'number'] }],
  properties: {
    id: id(),
    vendorId: textColumn(),
    /** '' for the wall clock */
    clockId: textColumn(),
    customerId: textColumn(),
    /** the chain */
    rootId: textColumn(),
    contractId: textColumn(),
    currency: oneOf<Currency>(),
    /** counts the moves of the chain in this currency, from 1 */
    number: whole(),
    at: instant(),
    kind: oneOf<MrrMoveKind>(),
    before: moneyColumn(),
    after: moneyColumn(),
    /** `after` less `before` */
    amount: moneyColumn(),
  },
});

/**
 * What the rows of a figure add up to on a day (UTC), by account or kind of move, so that a report over years doesn't
 * add up every row; without the changes that aren't added up yet.
 */
export const FigureSum = defineEntity({
  name: 'FigureSum',
  tableName: 'figure_sum',
  properties: {
    vendorId: textColumn().primary(),
    /** '' for the wall clock */
    clockId: textColumn().primary(),
    figure: textColumn().primary(),
    part: textColumn().primary(),
    currency: textColumn().primary(),
    day: instant().primary(),
    amount: moneyColumn(),
    n: big(),
  },
});

/** What one statement has added to a figure. A row of its own, so that no two writers wait for each other. */
export const FigureSumChange = defineEntity({
  name: 'FigureSumChange',
  tableName: 'figure_sum_change',
  properties: {
    vendorId: textColumn().primary(),
    clockId: textColumn().primary(),
    figure: textColumn().primary(),
    id: serial().primary(),
    part: textColumn(),
    currency: textColumn(),
    day: instant(),
    amount: moneyColumn(),
    n: big(),
  },
});
