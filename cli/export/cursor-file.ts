import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../run.ts';
import { cursorIn, type ExportCursor } from './cursor.ts';

/**
 * The cursor that an earlier export has left; null where there is no file yet.
 *
 * @throws CommandError where no cursor could be kept there later: rows would be printed, and printed again next time
 */
export function cursorOfFile(path: string): ExportCursor | null {
  const text = textOf(path);
  if (text === null) return null;
  const cursor = cursorIn(text.trim());
  if (cursor === null) throw new CommandError(`${path} holds no cursor: it is written by export --cursor-file`);
  return cursor;
}

function textOf(path: string): string | null {
  try {
    accessSync(dirname(path), constants.W_OK);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  } catch (error) {
    throw new CommandError(`no cursor can be kept in ${path} (${(error as NodeJS.ErrnoException).code}): give another file`, {
      cause: error,
    });
  }
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
