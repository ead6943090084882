import { programsOf } from '../compare/system.ts';
import { casesOf } from './killbill-cases.ts';
import { CATALOGUE } from './killbill-catalogue.ts';
import { KillBillClient } from './killbill-client.ts';
import { killBillHerd } from './killbill-herd.ts';
import type { Peer } from './peer.ts';

/** A running Kill Bill in test mode, with the process ids of its server and of its Postgres where they are known. */
export async function killBillAt(address: string, [server, postgres]: readonly number[]): Promise<Peer> {
  const { port } = new URL(address);
  const key = `bench-${Date.now()}`;
  const headers = {
    authorization: `Basic ${Buffer.from('admin:password').toString('base64')}`,
    'x-killbill-apikey': key,
    'x-killbill-apisecret': 'secret-of-the-bench',
    'x-killbill-createdby': 'bench',
    accept: 'application/json',
  };
  const client = new KillBillClient(address, headers);
  await client.send('POST', '/1.0/kb/tenants', { apiKey: key, apiSecret: 'secret-of-the-bench', externalKey: key });
  await client.send('POST', '/1.0/kb/catalog/xml', CATALOGUE, 'text/xml');
  const system = {
    ...programsOf({ ...(server === undefined ? {} : { api: server }), ...(postgres === undefined ? {} : { postgres }) }),
    ...{ name: 'Kill Bill', port: Number(port), headers: { ...headers, 'content-type': 'application/json' } },
    stop: async () => undefined,
  };
  return {
    ...system,
    cases: casesOf(client),
    stage: async () => ({ plan: 'pro-monthly', bigger: 'max-monthly', customers: [], contracts: [], invoices: [] }),
    herd: (size, callers) => killBillHerd(system, client, { size, callers }),
  };
}
