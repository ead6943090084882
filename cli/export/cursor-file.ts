import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { CommandError } from '../run.ts';
import { cursorIn, type ExportCursor } from './cursor.ts';

/** The cursor that an earlier export has left; null where there is no file yet. */
export function cursorOfFile(path: string): ExportCursor | null {
  if (!existsSync(path)) return null;
  const cursor = cursorIn(readFileSync(path, 'utf8').trim());
  if (cursor === null) throw new CommandError(`${path} holds no cursor: it is written by export --cursor-file`);
  return cursor;
}

/** Replaced as a whole, so that whenever the process ends the file has an old cursor or the new one. */
export async function keepCursor(path: string, cursor: string): Promise<void> {
  const next = `${path}.next`;
  const file = await open(next, 'w');
  try {
    await file.writeFile(`${cursor}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}
