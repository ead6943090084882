import { open, stat } from 'node:fs/promises';
import pg from 'pg';

export interface Statement {
  /** epoch milliseconds */
  at: number;
  text: string;
}

/** Has a Postgres write down every statement it is sent, with the time and nothing else. */
export async function logStatements(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  for (const setting of [`log_statement = 'all'`, `log_line_prefix = '%n|'`]) await client.query(`alter system set ${setting}`);
  await client.query('select pg_reload_conf()');
  await client.end();
}

export const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;

const LINE = /^(\d+\.\d+)\|LOG: {2}(?:statement|execute [^:]+): (.*)$/;

/** What has been written down since the file had a size. A statement's further lines stay with it. */
export async function statementsSince(path: string, size: number): Promise<Statement[]> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc((await sizeOf(path)) - size), position: size });
  await file.close();
  const found: Statement[] = [];
  for (const line of buffer.toString('utf8', 0, bytesRead).split('\n')) {
    const [, seconds, text = ''] = LINE.exec(line) ?? [];
    const last = found.at(-1);
    if (seconds !== undefined) found.push({ at: Number(seconds) * 1000, text });
    else if (last !== undefined && line.startsWith('\t')) last.text += ` ${line.trim()}`;
  }
  return found;
}
