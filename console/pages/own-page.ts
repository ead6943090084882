import { CONSOLE_PREFIX } from '../http/parts.ts';

/** A page of the console with its query, so that a form leads to no other site. */
const OWN_PAGE = /^\/console(\/[\w-]+)*(\?[\w.~%&=+*-]*)?$/;

/** The page that an address names; the first page for what is no page of ours. */
export const ownPage = (address: string): string => (OWN_PAGE.test(address) ? address : CONSOLE_PREFIX);
