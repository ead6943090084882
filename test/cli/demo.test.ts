import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, runProgram } from '../support/program.ts';
import { servers } from '../support/servers.ts';
import { temporalAt } from '../support/temporal.ts';
import { newVendor } from '../support/vendor.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'perennial-demo-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const demo = (...flags: string[]): Promise<Ended> => runProgram(['cli', 'demo', ...flags], { env: { PERENNIAL_HOME: home } });

/** Writes the file that `npm start` writes. */
async function writeDev(baseUrl: string): Promise<void> {
  const { databaseUrl, temporalAddress, temporalUi } = await servers();
  const { apiKey } = await newVendor('Demo vendor');
  const dev = { base_url: baseUrl, api_key: apiKey, database_url: databaseUrl, temporal_address: temporalAddress, temporal_ui: temporalUi };
  writeFileSync(join(home, 'dev.json'), JSON.stringify({ ...dev, portal_url: `${baseUrl}/portal` }));
}

describe('the demo', () => {
  it('plays a year for five customers and prints the result as JSON', async () => {
    const { baseUrl, temporalUi, temporalAddress } = await servers();
    await writeDev(baseUrl);
    const { code, stdout } = await demo('--json');
    expect(code).toBe(0);
    const { invoices, customers, workflow } = JSON.parse(stdout);
    // 14 of Blue Harbor, 13 each of Cirrus and the bakery, 10 of Delta Dance, who was away for a month, 6 of Echo Labs
    expect(invoices).toBe(56);
    expect(customers.map(({ name }: { name: string }) => name)).toEqual([
      "Ada's Bakery",
      'Blue Harbor',
      'Cirrus',
      'Delta Dance',
      'Echo Labs',
    ]);
    // the printed link must lead to an existing workflow
    const [bakery] = customers;
    expect(workflow).toBe(`${temporalUi}/namespaces/default/workflows/${bakery.chain}`);
    expect(bakery.contract).not.toBe(bakery.chain);
    const temporal = temporalAt(temporalAddress);
    const { type } = await temporal.client.workflow.getHandle(bakery.chain).describe().finally(temporal.close);
    expect(type).toBe('contractLifecycle');
  });

  it('prints the year day by day, with invoices as tables', async () => {
    await writeDev((await servers()).baseUrl);
    const { code, stdout } = await demo();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 Jan 2027 {3}Blue Harbor signs Team with 5 seats$/m);
    expect(stdout).toMatch(/^ {2}└ Total +\d+\.\d\d USD$/m);
    expect(stdout).toMatch(/^1 Jan 2028 {3}56 invoices for 5 customers in twelve months\.$/m);
  });

  it('prints one line when no server was ever started, and when none answers', async () => {
    expect(await demo()).toEqual({
      code: 1,
      stdout: '',
      stderr: `No npm start ever ran in ${home}: start one, or set PERENNIAL_HOME to the home of the one that runs.\n`,
    });
    await writeDev('http://127.0.0.1:9');
    expect(await demo()).toEqual({
      code: 1,
      stdout: '',
      stderr: 'nothing answers at http://127.0.0.1:9: start the server with npm start\n',
    });
  });
});
