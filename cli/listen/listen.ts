import { setTimeout as pause } from 'node:timers/promises';
import type { EventType } from '../../billing/event-types.ts';
import { vendorApi } from '../connection/api.ts';
import { untilAnswered } from '../connection/until-answered.ts';
import type { CommandCall, RunCommand } from '../run.ts';
import { type Output, untilStopped } from '../until-stopped.ts';
import { type Forwarded, forward, isTaken, type Receiver, secretOf } from './forward.ts';
import { inLanes } from './lanes.ts';
import { eventsAfter, type ListenedEvent, lastEvent, ofTypes } from './log.ts';

/** Milliseconds between two looks at a log without news. */
const LOOKS_EVERY = 1_000;

interface ListenOptions {
  forwardTo?: string;
  after?: string;
  types?: EventType[];
  json?: boolean;
}

/** Prints the events of the log as they come, and forwards them, until it is stopped. */
export const runListen: RunCommand = async (call) => {
  const options = call.options as ListenOptions;
  const { api, access } = vendorApi();
  const place = { cursor: options.after ?? null };
  await untilStopped(async (output) => {
    const { stopped } = output;
    place.cursor ??= await lastEvent(api, stopped);
    const target = targetOf(options, access.key, call, output);
    const read = (after: string | null) => eventsAfter(api, { after, signal: stopped });
    // the first look tells of a wrong key, address or event at once; later ones have patience with the server
    let events = await read(place.cursor);
    tellStart(call, access.url, place.cursor, target);
    for (;;) {
      await handle(events, { options, target, output, place });
      place.cursor = events.at(-1)?.id ?? place.cursor;
      if (events.length === 0) await pause(LOOKS_EVERY, undefined, { signal: stopped });
      events = await untilAnswered(() => read(place.cursor), { stopped, progress: call.progress });
    }
  });
  call.progress(place.cursor === null ? 'Stopped.' : `Stopped. To go on from here: --after ${place.cursor}`);
  return 0;
};

function targetOf({ forwardTo }: ListenOptions, key: string, { progress }: CommandCall, { stopped }: Output): Receiver | null {
  return forwardTo === undefined ? null : { url: forwardTo, secret: secretOf(key), stopped, progress };
}

function tellStart({ progress }: CommandCall, url: string, after: string | null, target: Receiver | null): void {
  progress(`Listening to ${url}, ${after === null ? 'from its first event on' : `after ${after}`}. Ctrl-C ends it.`);
  if (target === null) return;
  progress(`Forwarding to ${target.url}, signed as Standard Webhooks with this secret, the same at each start:`);
  progress(target.secret);
}

interface Handling {
  options: ListenOptions;
  target: Receiver | null;
  output: Output;
  place: { cursor: string | null };
}

/**
 * Prints, and forwards before, what was asked for; the cursor follows what is done. What is only printed stays in the
 * order of the log, so that the last line says where to go on.
 */
async function handle(events: readonly ListenedEvent[], { options, target, output, place }: Handling): Promise<void> {
  const wanted = ofTypes(events, options.types ?? []);
  const show = async (event: ListenedEvent): Promise<void> => {
    const forwarded = target === null ? null : await forward(event, target);
    await output.line(options.json === true ? jsonLine(event, forwarded) : textLine(event, forwarded));
  };
  const done = ({ id }: ListenedEvent): void => {
    place.cursor = id;
  };
  if (target !== null) return inLanes(wanted, show, done);
  for (const event of wanted) {
    await show(event);
    done(event);
  }
}

const jsonLine = (event: ListenedEvent, forwarded: Forwarded | null): string =>
  JSON.stringify(forwarded === null ? event : { ...event, forwarded });

const TYPE_WIDTH = 40;
const OBJECT_WIDTH = 42;

function textLine({ timestamp, type, object, id }: ListenedEvent, forwarded: Forwarded | null): string {
  const columns = [timestamp, type.padEnd(TYPE_WIDTH), object.padEnd(OBJECT_WIDTH), id];
  return forwarded === null ? columns.join('  ') : `${columns.join('  ')}  → ${outcomeText(forwarded)}`;
}

function outcomeText(forwarded: Forwarded): string {
  const { status, error, duration_ms, tries } = forwarded;
  const text = `${status ?? error} in ${duration_ms} ms`;
  if (isTaken(forwarded)) return tries === 1 ? text : `${text}, at try ${tries}`;
  return `${text}, given up after ${tries} tries`;
}
