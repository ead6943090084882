import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { adder, withJson } from './adder.ts';
import { exportCommand } from './export/command.ts';
import { vendorCommands } from './vendor-commands.ts';

/** The usual exit code of shells for a wrong call. */
export const MISUSED = 2;

const NAME = 'node bin/perennial.mjs cli';

/**
 * All commands, their arguments and their help.
 * The code of a command is loaded only when it is called, so that help and errors are printed at once.
 *
 * @param ended receives the exit code of the command
 */
export function commandLine(ended: (code: number) => void): Command {
  const program = new Command(NAME)
    .description(
      "What an operator and a vendor's developer type. Where neither DATABASE_URL nor PERENNIAL_URL is set, a command works on the servers that npm start runs from PERENNIAL_HOME.",
    )
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print what a command takes')
    .showHelpAfterError('(--help says what there is)')
    .exitOverride();
  const add = adder(ended);

  add(
    program,
    'start',
    'run Postgres, Temporal, worker and API on this machine, as npm start does',
    async () => (await import('./start.ts')).runStart,
  );
  withJson(add(program, 'migrate', MIGRATE, async () => (await import('./migrate.ts')).runMigrate)).option(
    '--dry-run',
    'say what would be applied, and change nothing',
  );
  withJson(add(program, 'reconcile', RECONCILE, async () => (await import('./reconcile.ts')).runReconcile))
    .addOption(new Option('--dry-run', 'say which workflows are needed and which of them do not run, and signal none').conflicts('restart'))
    .addOption(new Option('--restart [before]', RESTART).argParser(parseInstant));
  withJson(add(program, 'doctor', DOCTOR, async () => (await import('./doctor.ts')).runDoctor));
  withJson(add(program, 'demo', DEMO, async () => (await import('./demo/demo.ts')).runDemo));

  exportCommand(program, add);
  vendorCommands(program, add);

  const vendor = program.command('vendor').description('vendors, who bill their customers through the API');
  withJson(
    add(vendor, 'create', 'make a vendor and print its first key, once', async () => (await import('./vendor.ts')).runVendorCreate),
  ).addArgument(new Argument('<name>', 'how it is called').argParser(parseName));
  withJson(add(vendor, 'list', 'list all vendors', async () => (await import('./vendor.ts')).runVendorList));

  const key = program.command('key').description('the keys of the API');
  withJson(add(key, 'create', 'make a key and print it, once', async () => (await import('./key.ts')).runKeyCreate))
    .argument('<vendor>', 'id of its vendor, as vendor list prints it')
    .addArgument(new Argument('<name>', 'what it is for').argParser(parseName))
    .addOption(new Option('--scope <scope>', 'what it may do').choices(['full', 'read', 'usage']).default('full'));
  withJson(
    add(key, 'list', 'list the keys of a vendor, without their secrets', async () => (await import('./key.ts')).runKeyList),
  ).argument('<vendor>', 'id of the vendor, as vendor list prints it');
  withJson(add(key, 'revoke', 'end a key and its sessions at once', async () => (await import('./key.ts')).runKeyRevoke)).argument(
    '<key-id>',
    'id of the key, as key list prints it',
  );
  withJson(add(key, 'rotate', 'replace a key by a new one of the same name and scope', async () => (await import('./key.ts')).runKeyRotate))
    .argument('<key-id>', 'id of the key, as key list prints it')
    .addOption(
      new Option('--overlap <seconds>', 'so long the old key works on; 0 ends it at once').argParser(parseSeconds).default(86_400),
    );

  const payment = program.command('payment').description('payments of customers');
  withJson(add(payment, 'end', PAYMENT_END, async () => (await import('./payment.ts')).runPaymentEnd))
    .argument('<payment>', 'id of the payment, as doctor prints it')
    .requiredOption('--not-taken', 'you have looked at the provider: it has taken no money, or you will record what it has taken');
  return program;
}

const MIGRATE = 'bring the tables and the search attributes up to date; run it before new API and worker processes start';
const RECONCILE = 'signal every workflow that Postgres says is needed and start those that do not run, after a lost namespace or a restore';
const RESTART =
  'first give every contract a new run, after a deployment whose code can not replay the old ones; with an instant: only those whose run began before it';
const PAYMENT_END = "end a payment whose provider can't tell what became of it, as failed";
const DOCTOR = 'look for what should not be: overdue agenda rows, missing workflows, wrong sums, open migrations';
const DEMO = 'play a year of a small vendor on a test clock against the running server and print the invoices';

function parseName(text: string): string {
  const name = text.trim();
  if (name === '') throw new InvalidArgumentError('A name has at least one letter.');
  return name;
}

/** 30 days, the limit of the API. */
const LONGEST_OVERLAP = 2_592_000;

function parseSeconds(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(count <= LONGEST_OVERLAP)) throw new InvalidArgumentError(`Give whole seconds from 0 to ${LONGEST_OVERLAP}.`);
  return count;
}

function parseInstant(text: string): number {
  const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw new InvalidArgumentError('Give an instant as it is printed, like 2026-11-23T12:00:00.000Z.');
  return instant;
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}
