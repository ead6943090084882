import { CONSOLE_PREFIX } from '../http/parts.ts';
import type { ConsoleKey } from '../messages/pages.ts';

/** What keeps the installation running; `operations.ts` has the links between these pages. */
const OPERATIONS = /^\/console\/(due|webhooks?|test_clocks?|imports?|preferences)(\/.*)?$/;

/** The pages that every page links to, in this order. A page below one of them names it too. */
export const NAVIGATION: readonly { readonly title: ConsoleKey; readonly to: string; readonly below: RegExp }[] = [
  { title: 'home.title', to: CONSOLE_PREFIX, below: /^\/console$/ },
  { title: 'customer.list_title', to: `${CONSOLE_PREFIX}/customers`, below: /^\/console\/customers?(\/.*)?$/ },
  { title: 'contract.list_title', to: `${CONSOLE_PREFIX}/contracts`, below: /^\/console\/contracts?(\/.*)?$/ },
  { title: 'invoice.list_title', to: `${CONSOLE_PREFIX}/invoices`, below: /^\/console\/invoices?(\/.*)?$/ },
  { title: 'plan.list_title', to: `${CONSOLE_PREFIX}/plans`, below: /^\/console\/plans?(\/.*)?$/ },
  { title: 'frame.operations', to: `${CONSOLE_PREFIX}/due`, below: OPERATIONS },
  { title: 'log.events_title', to: `${CONSOLE_PREFIX}/events`, below: /^\/console\/events$/ },
  { title: 'log.audit_title', to: `${CONSOLE_PREFIX}/audit`, below: /^\/console\/audit$/ },
];
