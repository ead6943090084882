/**
 * A number of things in words.
 *
 * @param many what two of them are called, where that isn't the one with an s
 */
export const howMany = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
