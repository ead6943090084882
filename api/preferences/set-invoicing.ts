import { changeInvoicing } from '../../services/preferences/invoicing.ts';
import { route } from '../http/route.ts';
import { PreferencesRequest } from '../schema/preferences.ts';
import { configurationFromWire, numberFormatFromWire } from '../wire/configuration.ts';

export const setInvoicingRoute = route({
  method: 'post',
  path: '/v1/c/preferences/invoicing',
  operationId: 'set_invoicing_preferences',
  tag: 'Preferences',
  summary: 'Update the invoicing preferences',
  description:
    'Defaults for contracts that are signed from now on; running contracts keep theirs. Empty fields are not changed; `invoice_threshold: null` turns that off.',
  scope: 'full',
  body: PreferencesRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: [],
  example: {
    body: {
      automatic_payment: true,
      due_date_policy: 'end_of_period',
      net_days: 30,
      number: { prefix: 'INV-', width: 5, credit_note_prefix: 'CN-' },
    },
  },
  write: async ({ vendor, body, tx }) => {
    const turnedOff = body.invoice_threshold === null ? { invoiceThreshold: null } : {};
    await changeInvoicing(tx, vendor, { ...configurationFromWire(body), ...turnedOff }, numberFormatFromWire(body.number));
    return null;
  },
});
