/**
 * SQL: `payer` is the contract of the chain whose next invoice takes up corrections of another one's closed usage: the
 * live one. One invoice is in one currency, so after a change of currency there is none.
 */
export const liveOfChain = (of: string, payer: string): string =>
  `${payer}.ended is null and ${payer}.status not in ('moved', 'canceled') and not ${payer}.is_successor and ${payer}.terms->>'currency' = ${of}.terms->>'currency'`;
