/** What changes how a contract stands; other rows close its usage, collect what it owes, or send a reminder. */
export const CHANGES_A_CONTRACT = `'activation', 'boundary', 'cancellation', 'expiration', 'scheduled_change', 'trial_cancellation', 'trial_end'`;
const CHANGES_A_CUSTOMER = `${CHANGES_A_CONTRACT}, 'freeze_end'`;

/**
 * Asks for the first row only, so that it is a look-up by the index whatever the planner knows of the tables. It
 * doesn't ask whether the row is held: with that condition the planner might choose an index of everybody's due rows.
 * So a parked contract is found too; its reader leaves it alone.
 */
const anyDue = (whose: string, kinds: string): string =>
  `coalesce((select true from agenda a where ${whose} and a.due_at <= now() and a.kind in (${kinds}) limit 1), false)`;

/**
 * SQL of an expression: whether something is due and undone that changes how a customer of the wall clock or one of its
 * contracts stands. While nothing is due it is one look into an index.
 */
export const isCustomerLate = (customerId: string): string => anyDue(`a.customer_id = ${customerId}`, CHANGES_A_CUSTOMER);

/** The same for one contract. What makes a scheduled successor active is a row of its predecessor. */
export const isContractLate = (contract: string): string =>
  anyDue(`a.contract_id = case when ${contract}.is_successor then ${contract}.predecessor_id else ${contract}.id end`, CHANGES_A_CONTRACT);
