import type Koa from 'koa';
import { cookiesOf } from '../../../portal/http/cookie.ts';
import { sendDocument, sendRedirect } from '../../../portal/http/response.ts';
import { type OpenVendor, openPersonSession, type ProvedPerson, vendorsOf } from '../../../services/console/person.ts';
import { endConsoleSession } from '../../../services/console/session.ts';
import { plainFrame } from '../../http/frame.ts';
import { CONSOLE_PREFIX, type ConsoleParts } from '../../http/parts.ts';
import { readerFor } from '../../http/visit.ts';
import type { SignInProvider } from '../../sign-in/provider.ts';
import { newRound, type Round, roundInCookie, roundToCookie } from '../../sign-in/round.ts';
import { ownPage } from '../own-page.ts';
import { countedSignIn, sendSignIn } from './routes.ts';
import { choiceContent } from './view.ts';

/** What the sign-in with a provider needs beyond a request. */
interface WithProvider {
  readonly ctx: Koa.Context;
  readonly parts: ConsoleParts;
  readonly provider: SignInProvider;
}

const textIn = (ctx: Koa.Context, name: string): string => [ctx.query[name]].flat()[0] ?? '';

/** Sends the browser to the vendor's sign-in service, with a cookie that lets it alone come back. */
export async function beginRound({ ctx, provider }: WithProvider): Promise<void> {
  const to = ownPage(textIn(ctx, 'to'));
  const round = newRound(to, textIn(ctx, 'vendor'));
  const address = await provider.addressOf(round);
  if (!URL.canParse(address)) return sendSignIn(ctx, to, 'provider_down', true);
  cookiesOf(ctx).setRound(roundToCookie(round));
  sendRedirect(ctx, address);
}

/**
 * Opens a session for the person who comes back: always a new one. A round ends once; a second answer to it, or one
 * that another browser began, opens nothing.
 */
export async function endRound({ ctx, parts, provider }: WithProvider): Promise<void> {
  const cookies = cookiesOf(ctx);
  const round = roundInCookie(cookies.round);
  cookies.clear('round');
  if (round === null) return sendSignIn(ctx, CONSOLE_PREFIX, 'round', true);
  if (!countedSignIn(ctx, parts)) return sendSignIn(ctx, round.to, 'tries', true);
  const person = await provider.personOf(round, ctx.querystring);
  if (typeof person === 'string') return sendSignIn(ctx, round.to, person, true);
  const open = await vendorsOf(parts.db, provider.config.access, person.groups);
  const chosen = open.filter(({ vendorId }) => round.vendorId === '' || vendorId === round.vendorId);
  const [one, ...others] = chosen;
  if (one === undefined) return sendSignIn(ctx, round.to, 'no_access', true);
  if (others.length > 0) return sendChoice(ctx, round, chosen);
  await enter({ ctx, parts, round, person, vendor: one });
}

interface Entering {
  readonly ctx: Koa.Context;
  readonly parts: ConsoleParts;
  readonly round: Round;
  readonly person: ProvedPerson;
  readonly vendor: OpenVendor;
}

async function enter({ ctx, parts, round, person, vendor }: Entering): Promise<void> {
  const cookies = cookiesOf(ctx);
  const session = await openPersonSession(parts.db, person, vendor);
  // ends the earlier session: its cookie is replaced, so that nobody could sign out of it any more
  if (cookies.session !== null) await endConsoleSession(parts.db, cookies.session);
  cookies.setSession(session);
  sendRedirect(ctx, round.to);
}

/** Each vendor is a round of its own: what the person may do is asked again, and nothing waits on the server. */
function sendChoice(ctx: Koa.Context, { to }: Round, vendors: readonly OpenVendor[]): void {
  const reader = readerFor(ctx);
  sendDocument(ctx, 200, plainFrame(reader, { title: reader.t('entry.choose'), content: choiceContent(reader, to, vendors) }));
}
