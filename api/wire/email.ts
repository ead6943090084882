import type { z } from 'zod';
import type { EmailSettings } from '../../db/customer/email.ts';
import type { PortalText } from '../../db/entities/portal.ts';
import type { EmailPreferences, EmailPreferencesRequest } from '../schema/email.ts';

const USUAL_DAYS = [-3, 1, 7, 14];

/** What a request changes: absent fields are absent, null is the default. */
export function emailFromWire(body: z.output<typeof EmailPreferencesRequest>): Partial<EmailSettings> {
  const { enabled, from, reply_to: replyTo, bcc, texts, remind_days: remindDays, test_clocks: testClocks } = body;
  return {
    ...(enabled === undefined ? {} : { enabled: enabled ?? false }),
    ...(from === undefined ? {} : { from }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(bcc === undefined ? {} : { bcc }),
    ...(texts === undefined ? {} : { texts: (texts ?? {}) as Record<string, PortalText> }),
    ...(remindDays === undefined ? {} : { remindDays: remindDays ?? USUAL_DAYS }),
    ...(testClocks === undefined ? {} : { testClocks: testClocks ?? false }),
  };
}

export const emailToWire = (settings: EmailSettings, server: boolean): z.input<typeof EmailPreferences> => ({
  enabled: settings.enabled,
  from: settings.from,
  reply_to: settings.replyTo,
  bcc: settings.bcc,
  texts: settings.texts,
  remind_days: settings.remindDays,
  test_clocks: settings.testClocks,
  server,
});
