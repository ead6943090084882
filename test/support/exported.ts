import { exportServer } from '../../db/sql/export/server.ts';
import type { AnyJson } from './api.ts';
import { withTestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { runProgram } from './program.ts';
import { servers } from './servers.ts';

/** What `cli export` prints of a vendor's noun once every transaction so far has ended. */
export async function exportedLines(vendorId: string, noun: string, after?: string): Promise<AnyJson[]> {
  await withTestDatabase(async (db) => {
    const [row] = await db.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as next');
    await eventually(async () => expect((await exportServer(db)).settled >= BigInt(row?.next ?? '')).toBe(true));
  });
  const { databaseUrl, temporalAddress } = await servers();
  const args = ['cli', 'export', noun, '--vendor', vendorId, ...(after === undefined ? [] : ['--after', after])];
  const { code, stdout } = await runProgram(args, {
    env: { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, PERENNIAL_SECRET: '0123456789abcdef0123456789abcdef' },
  });
  expect(code).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
