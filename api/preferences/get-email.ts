import { readEmailSettings } from '../../services/preferences/email.ts';
import { exampleEmail } from '../example/preferences.ts';
import { route } from '../http/route.ts';
import { EmailPreferences } from '../schema/email.ts';
import { emailToWire } from '../wire/email.ts';

export const getEmailRoute = route({
  method: 'get',
  path: '/v1/c/preferences/email',
  operationId: 'get_email_preferences',
  tag: 'Preferences',
  summary: 'Read the e-mail preferences',
  description: 'Whether and how customers are written to, and whether the server can send.',
  scope: 'read',
  response: { 200: EmailPreferences },
  errors: [],
  example: { response: { ...exampleEmail, server: true } },
  run: async ({ vendor }, { db }) => emailToWire(await readEmailSettings(db.em(), vendor), db.sendsMail),
});
