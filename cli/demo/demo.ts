import { type InvoiceHit, Perennial } from '../../client/src/index.ts';
import { loadLaunchConfig } from '../../config/launch.ts';
import { readDevFile } from '../../config/local.ts';
import { withProgress } from '../../local-stack/log.ts';
import { type CommandCall, CommandError, type RunCommand } from '../run.ts';
import { makeCatalogue } from './catalogue.ts';
import { dayText, invoiceLines } from './print.ts';
import { type Character, yearOf } from './year.ts';

const NAMES = ["Ada's Bakery", 'Blue Harbor', 'Cirrus', 'Delta Dance', 'Echo Labs'];
const [BEGIN, END] = ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'];

interface Year {
  characters: Character[];
  invoices: number;
}

export const runDemo: RunCommand = async (call) => {
  const dev = readDevFile();
  if (dev === null)
    throw new CommandError(
      `No npm start ever ran in ${loadLaunchConfig().home}: start one, or set PERENNIAL_HOME to the home of the one that runs.`,
    );
  await fetch(`${dev.base_url}/healthz`).catch((cause: unknown) => {
    throw new CommandError(`nothing answers at ${dev.base_url}: start the server with npm start`, { cause });
  });
  const api = new Perennial({ baseUrl: dev.base_url, apiKey: dev.api_key });
  const { characters, invoices } = await play(api, call);
  const followed = characters.find(({ chain }) => chain !== null);
  // a Temporal that npm start doesn't run has its UI elsewhere, and its workflows have the same ids
  const workflow =
    dev.temporal_ui === null
      ? String(followed?.chain)
      : `${dev.temporal_ui}/namespaces/${loadLaunchConfig().temporalNamespace}/workflows/${followed?.chain}`;
  call.say(`The contract of ${followed?.name} and those it was changed into, as Temporal sees them:`);
  call.say(`  ${workflow}`);
  call.printResult({ invoices, customers: characters, workflow });
  return 0;
};

/** Plays the whole year; under `--json` no line is printed, so it shows its progress. */
function play(api: Perennial, { say, progress, options }: CommandCall): Promise<Year> {
  let today = BEGIN;
  const year = playYear(api, say, (at) => {
    today = at;
  });
  return options.json === true ? withProgress(progress, () => `Playing the year, ${dayText(today)}`, year) : year;
}

async function playYear(api: Perennial, say: CommandCall['say'], reached: (at: string) => void): Promise<Year> {
  const run = Date.now().toString(36);
  const catalogue = await makeCatalogue(api, run);
  const clock = await api.createTestClock({ now: BEGIN, name: `demo ${run}` });
  const characters: Character[] = [];
  for (const name of NAMES) characters.push({ name, customer: await registerCustomer(api, name, clock), contract: null, chain: null });

  const printed = new Set<string>();
  let now = BEGIN;
  for (const { on, says, act } of yearOf(api, catalogue, characters)) {
    const at = `${on}T00:00:00Z`;
    if (at !== now) await api.advanceTo(clock, at);
    now = at;
    reached(at);
    await printNewInvoices(api, characters, printed, say);
    say(`${dayText(at).padEnd(12)} ${says}`);
    say();
    await act();
    await printNewInvoices(api, characters, printed, say);
  }
  await api.advanceTo(clock, END);
  await printNewInvoices(api, characters, printed, say);
  say(`${dayText(END).padEnd(12)} ${printed.size} invoices for ${NAMES.length} customers in twelve months.`);
  return { characters, invoices: printed.size };
}

/** Creates and activates a customer, since only active customers are charged. */
async function registerCustomer(api: Perennial, name: string, clock: string): Promise<string> {
  const id = await api.saveCustomer({ name, test_clock: clock });
  await api.activateCustomer(id);
  return id;
}

/** Sorts by date, then by number: "2027-02-01T00:00:00.000Z 00000004" */
const sortKeyOf = ({ invoice }: InvoiceHit): string => `${invoice.date} ${invoice.invoice_number.number.padStart(8, '0')}`;

async function printNewInvoices(
  api: Perennial,
  characters: readonly Character[],
  printed: Set<string>,
  say: CommandCall['say'],
): Promise<void> {
  const found = [];
  for (const { name, customer } of characters) {
    const hits = await api.listInvoices({ customer, limit: 100 }).all();
    found.push(...hits.filter(({ invoice }) => !printed.has(invoice.id)).map((hit) => ({ name, hit })));
  }
  found.sort((a, b) => sortKeyOf(a.hit).localeCompare(sortKeyOf(b.hit)));
  for (const { name, hit } of found) {
    printed.add(hit.invoice.id);
    for (const line of invoiceLines(name, hit)) say(line);
  }
}
