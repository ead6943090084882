const AMOUNT = /^\d{1,15}(\.\d{1,4})?$/;

/** Whether a field has an amount that a page of ours has put there. */
export const isAmount = (text: string): boolean => AMOUNT.test(text);
