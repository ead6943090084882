import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { EVENT_TYPE_NAMES, type EventType } from '../billing/event-types.ts';
import { type Adder, withJson } from './adder.ts';

/** What a vendor's own people call: these commands reach the API with a key, and no database. */
export function vendorCommands(program: Command, add: Adder): void {
  add(program, 'listen', LISTEN, async () => (await import('./listen/listen.ts')).runListen)
    .addOption(
      new Option('--forward-to <url>', 'post each event there, signed, like http://localhost:4242/hook').argParser(parseWebAddress),
    )
    .addOption(new Option('--after <event>', 'begin behind this event; else with what happens from now on').argParser(parseEvent))
    .addOption(new Option('--types <types>', 'only these types, divided by commas').argParser(parseTypes))
    .option('--json', 'print each event as one line of JSON');
  withJson(add(program, 'explain', EXPLAIN, async () => (await import('./explain.ts')).runExplain)).argument(
    '<invoice>',
    'id of an invoice, or the number that customers see',
  );
  withJson(add(program, 'import', IMPORT, async () => (await import('./import/import.ts')).runImport))
    .argument('<file>', 'a JSON object a line: customers, contracts and wallets, as docs/import.md says')
    .addOption(
      new Option('--dry-run', 'say what would be imported and which lines would be refused, and write nothing').conflicts('resume'),
    )
    .addOption(new Option('--resume <import>', 'go on with this import, which was broken off or stopped').argParser(parseImport));
  plansCommands(program, add);
  const clock = program.command('clock').description('test clocks: a time of their own for some customers');
  withJson(add(clock, 'create', 'make a test clock', async () => (await import('./clock.ts')).runClockCreate))
    .addArgument(new Argument('<now>', INSTANT).argParser(parseInstant))
    .option('--name <name>', 'your name for it');
  withJson(
    add(clock, 'list', 'list the test clocks, with their time and what is due next', async () => (await import('./clock.ts')).runClockList),
  );
  withJson(add(clock, 'advance', ADVANCE, async () => (await import('./clock.ts')).runClockAdvance))
    .argument('<clock>', 'id of the clock')
    .addArgument(new Argument('<to>', INSTANT).argParser(parseInstant));
}

function plansCommands(program: Command, add: Adder): void {
  const plans = program.command('plans').description("the vendor's catalogue as a YAML file: plans with prices, and discounts");
  const load = () => import('./plans/plans.ts');
  const withFile = (command: Command): Command => withJson(command).argument('<file>', 'the file, like catalogue.yaml');
  const withPrune = (command: Command): Command => command.option('--prune', 'archive what is active on the server and not in the file');
  const withYes = (command: Command): Command => command.option('--yes', 'archive also more than five, or all plans or discounts');
  withFile(add(plans, 'pull', 'write the active plans and discounts to the file', async () => (await load()).runPlansPull));
  withPrune(withFile(add(plans, 'diff', PLANS_DIFF, async () => (await load()).runPlansDiff)));
  withYes(withPrune(withFile(add(plans, 'push', PLANS_PUSH, async () => (await load()).runPlansPush))));
}

const PLANS_PUSH = 'make the catalogue of the server that of the file';
const PLANS_DIFF = 'say what push would do; exit code 1 where it would do something';
const EXPLAIN = 'say in words how each line of an invoice came about';
const ADVANCE = 'move a test clock forward, and wait until all that was due on the way has happened';
const INSTANT = 'a day, like 2027-03-01, or an instant, like 2027-03-01T12:00:00Z';

/** A day is meant as its beginning, in UTC. */
function parseInstant(text: string): string {
  const [, day = '', time = 'T00:00:00Z'] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const at = new Date(`${day}${time}`);
  // JavaScript takes 31 February for 3 March
  const isDay = !Number.isNaN(at.getTime()) && new Date(day).toISOString().startsWith(day);
  if (!isDay) throw new InvalidArgumentError(`Give ${INSTANT}.`);
  return at.toISOString();
}

const IMPORT = 'take customers of another system over, with their contracts and wallets';

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

function parseImport(text: string): string {
  if (!text.startsWith('Imp_')) throw new InvalidArgumentError('Give the id of an import, which begins with Imp_.');
  return text;
}

function parseTypes(text: string): EventType[] {
  return text.split(',').map((part) => {
    const type = EVENT_TYPE_NAMES.find((name) => name === part.trim());
    if (type === undefined) throw new InvalidArgumentError(`There is no type "${part.trim()}": docs/events.md lists them.`);
    return type;
  });
}
