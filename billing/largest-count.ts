/** The largest number of cycles, of units in a batch or of a line: whole numbers are kept with 32 bits. */
export const LARGEST_COUNT = 2_147_483_647;
