import { changeEmailSettings } from '../../services/preferences/email.ts';
import { exampleEmail } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { EmailPreferencesRequest } from '../schema/email.ts';
import { emailFromWire } from '../wire/email.ts';

export const setEmailRoute = route({
  method: 'post',
  path: '/v1/c/preferences/email',
  operationId: 'set_email_preferences',
  tag: 'Preferences',
  summary: 'Update the e-mail preferences',
  description:
    'Whether and how customers are written to about invoices, payments and trials. Nothing is sent before this is enabled and the server has `SMTP_URL`. Absent fields are not changed.',
  scope: 'full',
  body: EmailPreferencesRequest,
  bodyOptional: true,
  response: { 200: null },
  errors: [],
  example: { body: exampleEmail },
  write: async ({ vendor, body, tx }) => {
    await changeEmailSettings(tx, vendor, emailFromWire(body));
    return null;
  },
});
