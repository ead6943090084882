import { type Command, InvalidArgumentError, Option } from 'commander';
import { EVENT_TYPE_NAMES, type EventType } from '../billing/event-types.ts';
import type { Adder } from './program.ts';

/** What a vendor's own people call: these commands reach the API with a key, and no database. */
export function vendorCommands(program: Command, add: Adder): void {
  add(program, 'listen', LISTEN, async () => (await import('./listen/listen.ts')).runListen)
    .addOption(
      new Option('--forward-to <url>', 'post each event there, signed, like http://localhost:4242/hook').argParser(parseWebAddress),
    )
    .addOption(new Option('--after <event>', 'begin behind this event; else with what happens from now on').argParser(parseEvent))
    .addOption(new Option('--types <types>', 'only these types, divided by commas').argParser(parseTypes))
    .option('--json', 'print each event as one line of JSON');
}

const LISTEN = 'print the events of the log as they come, and forward them to a local address';

/** An address without a scheme is meant as http, as people write it for their own machine. */
function parseWebAddress(text: string): string {
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new InvalidArgumentError('Give a web address, like http://localhost:4242/hook.');
  return address;
}

function parseEvent(text: string): string {
  if (!text.startsWith('Evt_')) throw new InvalidArgumentError('Give the id of an event, which begins with Evt_.');
  return text;
}

function parseTypes(text: string): EventType[] {
  return text.split(',').map((part) => {
    const type = EVENT_TYPE_NAMES.find((name) => name === part.trim());
    if (type === undefined) throw new InvalidArgumentError(`There is no type "${part.trim()}": docs/events.md lists them.`);
    return type;
  });
}
