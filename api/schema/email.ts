import { z } from 'zod';
import { EMAIL_KINDS } from '../../db/customer/email.ts';
import { Email, listOf } from './common.ts';
import { textIn } from './portal.ts';

const LONGEST_TEXT = 2_000;
const MOST_REMINDERS = 10;
/** Before the due date and after it. */
const MOST_DAYS = 60;

const RemindDays = listOf(z.int().min(-MOST_DAYS).max(MOST_DAYS), MOST_REMINDERS).refine(
  (days) => days.every((day, index) => day > (days[index - 1] ?? -MOST_DAYS - 1)),
  'must be growing whole days',
);

const texts = Object.fromEntries(
  [...EMAIL_KINDS, 'footer' as const].map((kind) => [
    kind,
    textIn(LONGEST_TEXT)
      .optional()
      .describe(
        kind === 'footer'
          ? 'Stands at the foot of each e-mail, for example your address: one text, or one by language.'
          : `Your own text in e-mails of the kind \`${kind}\`: one text, or one by language.`,
      ),
  ]),
);

export const EmailPreferencesRequest = z
  .strictObject({
    enabled: z.boolean().nullish().describe('Whether e-mails are sent to customers. It needs `from`. Null: false.'),
    from: Email.nullish().describe('Address of the sender; the name beside it is that of the portal. Null clears it.'),
    reply_to: Email.nullish().describe('Address that answers go to; null: the sender’s.'),
    bcc: Email.nullish().describe('Address that gets a blind copy of each e-mail; null for none.'),
    texts: z.strictObject(texts).nullish().describe('Your own texts by kind of e-mail, replaced as a whole; null clears them.'),
    remind_days: RemindDays.nullish().describe(
      'Days from the due date on which an unpaid invoice is written about again, in ascending order: -3 is three days before it. Invoices that are collected automatically are left out. Null: -3, 1, 7 and 14; an empty list: never.',
    ),
    test_clocks: z.boolean().nullish().describe('Whether customers on test clocks get e-mails too. Null: false.'),
  })
  .meta({ id: 'EmailPreferencesRequest', description: 'How customers are written to; absent fields are not changed.' });

export const EmailPreferences = z
  .object({
    enabled: z.boolean().describe('Whether e-mails are sent to customers, where the server has `SMTP_URL` too.'),
    from: z.string().nullable().describe('Address of the sender; null for none.'),
    reply_to: z.string().nullable().describe('Address that answers go to; null: the sender’s.'),
    bcc: z.string().nullable().describe('Address that gets a blind copy of each e-mail; null for none.'),
    texts: z.record(z.string(), textIn(LONGEST_TEXT)).describe('Your own texts by kind of e-mail, and `footer`; empty for none.'),
    remind_days: z.array(z.int()).describe('Days from the due date on which an unpaid invoice is written about again.'),
    test_clocks: z.boolean().describe('Whether customers on test clocks get e-mails too.'),
    server: z.boolean().describe('Whether the server has a mail server to send through (`SMTP_URL`).'),
  })
  .meta({ id: 'EmailPreferences', description: 'How customers are written to.' });
