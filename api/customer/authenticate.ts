import { z } from 'zod';
import { findVisitors, unknownHints, type VisitorHints } from '../../db/portal/find.ts';
import { portalUrl } from '../../portal/link.ts';
import { createPortalLink, listedReturnUrl } from '../../services/portal/link.ts';
import { ids } from '../example/ids.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { LoginRequest } from '../schema/customer.ts';

export const authenticateCustomerRoute = route({
  method: 'post',
  path: '/v1/c/customer/authenticate',
  operationId: 'authenticate_customer',
  tag: 'Customers',
  summary: 'Create a portal login URL',
  description:
    'Check who the customer is, then redirect there at once: the URL works once and for five minutes. All given fields must match one customer. With `flow` it opens the page to pay, to choose a payment method, to change or to cancel; with `return_url` each page leads back there.',
  scope: 'full',
  body: LoginRequest,
  response: { 201: z.string().describe('URL of the portal with a `token`: redirect the customer there.') },
  errors: ['customer_not_found', 'customer_ambiguous', 'customer_erased', 'invoice_not_found', 'contract_not_found'],
  example: {
    body: { id: ids.customer, flow: 'change', contract: ids.contract, return_url: 'https://app.example.com/billing' },
    response: 'https://billing.example.com/portal?token=2b_SqMM1fUFIF5kW4rLjQzYtlmU6j9Ie29byHAxkPq0',
  },
  secret: true,
  write: async ({ vendor, body, tx }, { settings }) => {
    const [customerId, another] = await findVisitors(tx.em, vendor, body);
    if (customerId === undefined) throw notFound(await unknownHints(tx.em, vendor, body));
    if (another !== undefined) throw new Problem('customer_ambiguous');
    for (const call of tx.audited) call.object = customerId;
    const { flow = null, invoice = null, contract = null } = body;
    const returnUrl = body.return_url == null ? null : await listedReturnUrl(tx.em, vendor, body.return_url);
    if (body.return_url != null && returnUrl === null) throw invalidField('return_url', NOT_LISTED);
    const entry = { flow, invoiceId: invoice, contractId: contract, returnUrl };
    return portalUrl(settings.baseUrl, await createPortalLink(tx, { vendorId: vendor, customerId }, entry));
  },
});

const NOT_LISTED = 'must be a URL whose origin (scheme, host and port) is listed in preferences/portal.return_urls';

const HINT_NAMES: Record<keyof VisitorHints, string> = { id: 'id', email: 'e-mail address', reference: 'reference' };

/** Names the hints that match no customer. */
function notFound(unknown: readonly (keyof VisitorHints)[]): Problem {
  if (unknown.length === 0) return new Problem('customer_not_found', 'What is given belongs to different customers.');
  const names = unknown.map((hint) => HINT_NAMES[hint]).join(' and no customer has this ');
  const entries = unknown.map((hint) => [hint, { type: 'error' as const, value: `no customer has this ${HINT_NAMES[hint]}` }] as const);
  return new Problem('customer_not_found', `No customer has this ${names}.`, { feedback: Object.fromEntries(entries) });
}
