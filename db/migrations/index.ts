import { Initial } from './0001-initial.ts';

/** In the order they run; one that has been released never changes. */
export const migrations = [{ name: '0001-initial', class: Initial }];
