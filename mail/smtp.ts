import { createTransport } from 'nodemailer';
import { portalUrl } from '../portal/link.ts';
import { EmailNotTaken, type Mailer } from '../services/email/port.ts';
import { contentOf } from './view.ts';

/** A mail server that doesn't answer holds up no other customer's e-mails for longer than this. */
const LONGEST_MS = 20_000;

export interface MailConfig {
  /** the server with its login, `smtp://` or `smtps://` */
  smtpUrl: string;
  /** where customers reach the portal */
  baseUrl: string;
}

/** Sends e-mails through a mail server. */
export function smtpMailer({ smtpUrl, baseUrl }: MailConfig): Mailer & { close(): void } {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: LONGEST_MS,
    greetingTimeout: LONGEST_MS,
    socketTimeout: LONGEST_MS,
    // what is attached is given as bytes; nothing is read from files or addresses
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = new URL(baseUrl).hostname;
  return {
    send: async ({ portalToken, attachment, ...email }) => {
      const { reference, from, to, replyTo, bcc } = email;
      const content = contentOf(email, portalUrl(baseUrl, portalToken));
      const attachments =
        attachment === null ? [] : [{ filename: attachment.name, content: attachment.bytes, contentType: 'application/pdf' }];
      try {
        await transport.sendMail({
          ...content,
          messageId: `<${reference}@${host}>`,
          from,
          to,
          ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
          ...(bcc === null ? {} : { bcc: { name: '', address: bcc } }),
          attachments,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw new EmailNotTaken(reasonOf(error));
      }
    },
    close: () => transport.close(),
  };
}

/** The server's status or the code of the failure; its text may contain addresses. */
function reasonOf(error: unknown): string {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return responseCode === undefined ? (code ?? 'unknown') : `refused with ${responseCode}`;
}
