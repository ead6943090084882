import type { MessageKey } from '../messages/pages.ts';

/** The pages that every page links to, in this order. A page below one of them (`/portal/invoice/…`) names it too. */
export const NAVIGATION: readonly { readonly title: MessageKey; readonly to: string; readonly below: RegExp }[] = [
  { title: 'overview.title', to: '/portal', below: /^\/portal(\/contract\/.*)?$/ },
  { title: 'documents.title', to: '/portal/invoices', below: /^\/portal\/(invoices?|credit_note|payments)(\/.*)?$/ },
  { title: 'methods.title', to: '/portal/methods', below: /^\/portal\/methods(\/.*)?$/ },
  { title: 'account.title', to: '/portal/account', below: /^\/portal\/account$/ },
];
