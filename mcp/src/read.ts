import { MOST_TEXT, refusalText, ToolRefusal, withinBounds } from './answer.ts';
import type { Api } from './api.ts';
import type { Call } from './catalogue.ts';
import type { Json } from './openapi.ts';
import { requestOf } from './request.ts';

/** Hits of a page unless the caller asks for another number. */
const USUAL_HITS = 10;

/** Calls what changes nothing. A list is asked for fewer hits until its page fits. */
export async function read(api: Api, call: Call, { body, ...given }: Json): Promise<string[]> {
  if (!call.parameters.some(({ name }) => name === 'limit')) return withinBounds(await text(api, call, given, body));
  const asked = typeof given.limit === 'number' ? given.limit : USUAL_HITS;
  for (let limit = asked; ; ) {
    const page = await text(api, call, { ...given, limit }, undefined);
    if (page.length <= MOST_TEXT || limit <= 1)
      return [...withinBounds(page), ...notes(page, limit, { asked, direction: given.direction })];
    limit = Math.max(1, Math.min(limit - 1, Math.floor((limit * MOST_TEXT) / page.length)));
  }
}

async function text(api: Api, call: Call, given: Json, body: unknown): Promise<string> {
  const answer = await api.send(requestOf(call, given, body));
  if (answer.isRefused) throw new ToolRefusal(refusalText(answer));
  return answer.text;
}

/** What a page leaves out, and how to go on. */
function notes(page: string, limit: number, { asked, direction }: { asked: number; direction: unknown }): string[] {
  const { forward, backward } = JSON.parse(page) as { forward?: string | null; backward?: string | null };
  const next = direction === 'backward' ? backward : forward;
  const fewer = limit < asked ? [`Only ${limit} of the ${asked} hits that were asked for fit.`] : [];
  const more = next == null ? [] : [`There are more hits: give "offset": "${next}".`];
  return [...fewer, ...more].length === 0 ? [] : [[...fewer, ...more].join(' ')];
}
