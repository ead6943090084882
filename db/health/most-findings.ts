/** How many findings of one kind an operator is shown. */
export const MOST_FINDINGS = 100;
/** One more is read: it says that there are more. */
export const FINDINGS_READ = MOST_FINDINGS + 1;
