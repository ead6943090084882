import { howMany } from '../billing/how-many.ts';
import type { Database, Tx } from '../db/connect.ts';
import type { ApiKeyRecord, KeyScope } from '../db/entities/vendor.ts';
import { listKeys, vendorExists, vendorOfKey } from '../db/vendor-account/vendors.ts';
import { createApiKey } from '../services/vendor-account/create-key.ts';
import { lockKey, revokeKey } from '../services/vendor-account/manage-keys.ts';
import { replaceKey } from '../services/vendor-account/replace-key.ts';
import { asOperator } from './as-operator.ts';
import { type CommandCall, CommandError, type RunCommand } from './run.ts';
import { tableLines } from './table.ts';
import { withConfiguredDatabase } from './with-database.ts';

export const runKeyCreate: RunCommand = (call) =>
  withConfiguredDatabase(async (db) => {
    const [vendorId = '', name = ''] = call.args;
    await requireVendor(db, vendorId);
    const scope = call.options.scope as KeyScope;
    const create = async (tx: Tx) => {
      const made = await createApiKey(tx, { vendorId, name, scope, at: Date.now() });
      for (const audited of tx.audited) audited.object = made.id;
      return made;
    };
    printNewKey(call, await db.transaction(create, asOperator(vendorId, 'create_api_key', null, { name, scope })));
    return 0;
  });

export const runKeyList: RunCommand = ({ args: [vendorId = ''], say, printResult }) =>
  withConfiguredDatabase(async (db) => {
    await requireVendor(db, vendorId);
    const keys = (await listKeys(db.em(), vendorId)).map((key) => ({
      id: key.id,
      name: key.name,
      scope: key.scope,
      created: iso(key.created),
      expires: key.expiresAt === null ? null : iso(key.expiresAt),
      revoked: key.revokedAt === null ? null : iso(key.revokedAt),
    }));
    for (const line of tableLines(keys.map((key) => [key.id, key.scope, stateOf(key), key.name]))) say(line);
    printResult({ keys });
    return 0;
  });

export const runKeyRevoke: RunCommand = ({ args: [id = ''], say, printResult }) =>
  withConfiguredDatabase((db) =>
    withKey(db, id, 'revoke_api_key', async (tx, key) => {
      const before = key.revokedAt;
      const revoked = iso(await revokeKey(tx, key, Date.now()));
      say(before === null ? `${key.id} is revoked` : `${key.id} was revoked already, ${revoked}`);
      printResult({ id: key.id, revoked });
      return 0;
    }),
  );

export const runKeyRotate: RunCommand = (call) =>
  withConfiguredDatabase(async (db) => {
    const overlap = call.options.overlap as number;
    const created = await withKey(db, call.args[0] ?? '', 'rotate_api_key', async (tx, key, vendorId) => {
      if (key.revokedAt !== null) throw new CommandError(`${key.id} is revoked: key create makes a new one`);
      return replaceKey(tx, { vendorId, key, overlapMs: overlap * 1_000, at: Date.now() });
    });
    printNewKey(call, created);
    call.say(overlap === 0 ? 'The old one has ended.' : `The old one works on for ${howMany(overlap, 'second')}.`);
    return 0;
  });

function printNewKey({ say, printResult }: CommandCall, { id, key }: { id: string; key: string }): void {
  say(`key id   ${id}`);
  say(`api key  ${key}`);
  say('The key is shown this once; only its hash is kept.');
  printResult({ id, key });
}

const iso = (at: number): string => new Date(at).toISOString();

function stateOf({ expires, revoked }: { expires: string | null; revoked: string | null }): string {
  if (revoked !== null) return `revoked ${revoked}`;
  if (expires === null) return 'live';
  return Date.parse(expires) <= Date.now() ? `ended ${expires}` : `live until ${expires}`;
}

async function requireVendor(db: Database, id: string): Promise<void> {
  if (!(await vendorExists(db.em(), id))) throw new CommandError(`there is no vendor ${id}: vendor list tells their ids`);
}

async function withKey<T>(
  db: Database,
  id: string,
  action: string,
  work: (tx: Tx, key: ApiKeyRecord, vendorId: string) => Promise<T>,
): Promise<T> {
  const unknown = () => new CommandError(`there is no key ${id}: key list tells the ids of a vendor's keys`);
  const vendorId = await vendorOfKey(db.em(), id);
  if (vendorId === null) throw unknown();
  const onKey = async (tx: Tx) => {
    const key = await lockKey(tx, vendorId, id);
    if (key === null) throw unknown();
    return work(tx, key, vendorId);
  };
  return db.transaction(onKey, asOperator(vendorId, action, id));
}
