import { Sender } from '../../client/src/sender.ts';
import { ApiFault, answer } from '../connection/api.ts';
import { untilAnswered } from '../connection/until-answered.ts';
import type { ImportTarget } from './import.ts';
import { bodyOf, type LinePage, pagesOf, unsendable } from './pages.ts';

/**
 * Sends the lines of a file to an import, a page at a time. A line that the import has already is left as it is, so all
 * of them can be sent again.
 *
 * @param sent is called with the number of the last line that was sent
 * @returns why lines could not be sent as they stand, by their numbers
 */
export async function sendLines(target: ImportTarget, id: string, file: string, sent: (line: number) => void): Promise<Unsent> {
  const unsent: [number, string][] = [];
  const sender = new Sender({ baseUrl: target.access.url, apiKey: target.access.key });
  const send = async (page: LinePage): Promise<void> => {
    await sendText(target, sender, `/v1/c/import/${encodeURIComponent(id)}/lines`, bodyOf(page));
    for (const line of page) if (line.unsent !== undefined) unsent.push([line.number, line.unsent]);
  };
  for await (const page of pagesOf(file)) {
    await sendPage(page, send);
    sent(page.at(-1)?.number ?? 0);
  }
  return new Map(unsent);
}

/** Why lines of a file can't be sent, by their numbers: the server sees none of it. */
export type Unsent = ReadonlyMap<number, string>;

/** A page with a line that no request may have, such as one with a field twice, is halved until that line is alone. */
async function sendPage(page: LinePage, send: (page: LinePage) => Promise<void>): Promise<void> {
  try {
    await send(page);
  } catch (error) {
    if (!(error instanceof ApiFault) || error.status !== 400) throw error;
    const [only] = page;
    if (only === undefined) throw error;
    const half = page.length >> 1;
    if (half === 0) await send([{ number: only.number, ...unsendable(reasonOf(error)) }]);
    else for (const part of [page.slice(0, half), page.slice(half)]) await sendPage(part, send);
  }
}

/** What the server says of the line, without the request that was made for it. */
const reasonOf = ({ message }: ApiFault): string => (message.split('\n', 1)[0] ?? '').replace(/^\S+ \S+ answered 400 \w+: /, '');

/**
 * The client's methods make the body themselves; a line is sent as the file has it, with its numbers as they are
 * written, and with a field that it has twice.
 */
async function sendText(target: ImportTarget, sender: Sender, path: string, body: string): Promise<void> {
  const request = { method: 'POST', target: path, body, idempotencyKey: null, isRepeatable: true } as const;
  await untilAnswered(() => answer(sender.send(request, { signal: target.stopped })), target);
}
