import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../support/eventually.ts';

/** An e-mail as a mail server took it. */
export interface ReceivedEmail {
  to: string[];
  messageId: string;
  subject: string;
  text: string;
  html: string;
  /** name and bytes of what is attached */
  attachments: { name: string; bytes: Buffer }[];
}

/** A real mail server of the test's own. */
export class Inbox {
  readonly received: ReceivedEmail[] = [];
  /** addresses that are refused for good */
  readonly refused = new Set<string>();
  /** called when an e-mail has come in, before the server says that it has taken it */
  beforeTaken: () => Promise<void> = async () => {};
  #server: SMTPServer | null = null;
  #port = 0;

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** Listens at the same port each time. */
  async open(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) => {
        if (!this.refused.has(address)) return done();
        done(Object.assign(new Error('no such user'), { responseCode: 550 }));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          this.received.push({
            ...parse(Buffer.concat(chunks).toString('latin1')),
            to: session.envelope.rcptTo.map(({ address }) => address),
          });
          await this.beforeTaken();
          done();
        });
      },
    });
    // a client that is killed ends its connection in the middle
    server.on('error', () => undefined);
    await new Promise<void>((done) => server.listen(this.#port, '127.0.0.1', done));
    this.#port = (server.server.address() as AddressInfo).port;
    this.#server = server;
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server !== null) await new Promise<void>((done) => server.close(done));
  }

  /** E-mails to an address, oldest first. */
  to(address: string): ReceivedEmail[] {
    return this.received.filter((email) => email.to.includes(address));
  }

  /** Waits until the subjects of all e-mails to an address are these, in any order. */
  expectSubjects(address: string, ...subjects: string[]): Promise<void> {
    return eventually(() =>
      expect(
        this.to(address)
          .map(({ subject }) => subject)
          .sort(),
      ).toEqual([...subjects].sort()),
    );
  }

  /** The one e-mail to an address with this subject. */
  find(address: string, subject: string): ReceivedEmail {
    const [first, ...more] = this.to(address).filter((email) => email.subject === subject);
    if (first === undefined || more.length > 0) throw new Error(`${more.length + (first ? 1 : 0)} e-mails to ${address}: ${subject}`);
    return first;
  }
}

/** Reads the parts of a message by RFC 5322 and MIME, as far as our e-mails go. */
function parse(message: string): Omit<ReceivedEmail, 'to'> {
  const parts = partsOf(message);
  const textOf = (type: string): string =>
    parts.find(({ headers }) => headers.get('content-type')?.startsWith(type))?.bytes.toString('utf8') ?? '';
  const { headers } = partOf(message);
  return {
    messageId: headers.get('message-id') ?? '',
    subject: decodedWords(headers.get('subject') ?? ''),
    text: textOf('text/plain'),
    html: textOf('text/html'),
    attachments: parts.flatMap(({ headers: own, bytes }) => {
      const name = /filename="?([^";]+)/.exec(own.get('content-disposition') ?? '')?.[1];
      return name === undefined ? [] : [{ name, bytes }];
    }),
  };
}

interface Part {
  headers: Map<string, string>;
  bytes: Buffer;
}

function partsOf(message: string): Part[] {
  const { headers, body } = split(message);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) return [partOf(message)];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => partsOf(part.replace(/^\r\n/, '').replace(/\r\n$/, '')));
}

function partOf(message: string): Part {
  const { headers, body } = split(message);
  const encoding = headers.get('content-transfer-encoding');
  if (encoding === 'base64') return { headers, bytes: Buffer.from(body, 'base64') };
  return { headers, bytes: encoding === 'quoted-printable' ? unquoted(body) : Buffer.from(body, 'latin1') };
}

function split(message: string): { headers: Map<string, string>; body: string } {
  const end = message.indexOf('\r\n\r\n');
  const lines = message
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
  return { headers, body: message.slice(end + 4) };
}

const unquoted = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** `=?UTF-8?Q?…?=` of RFC 2047. */
function decodedWords(text: string): string {
  const words = text.replace(/\?=\s+=\?/g, '?==?');
  return words.replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, content: string) =>
    (encoding.toUpperCase() === 'B' ? Buffer.from(content, 'base64') : unquoted(content.replaceAll('_', ' '))).toString('utf8'),
  );
}
