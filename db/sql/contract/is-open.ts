/**
 * SQL: a contract has not ended, or still has usage to close. By an index: what a customer's changes have left is not
 * looked at.
 */
export const isContractOpen = (contract: string): string => `(${contract}.ended is null or ${contract}.usage_to_close)`;
