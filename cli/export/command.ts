import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { EXPORT_NOUNS } from '../../db/export/nouns.ts';
import type { Adder } from '../adder.ts';
import { cursorIn, type ExportCursor } from './cursor.ts';

const EXPORT = 'print the rows of a vendor that were changed behind a cursor, one JSON object a line';

/** It reads the database, since a list of the API has no number for a change. */
export function exportCommand(program: Command, add: Adder): void {
  add(program, 'export', EXPORT, async () => (await import('./export.ts')).runExport)
    .addArgument(new Argument('<noun>', 'what is exported').choices(EXPORT_NOUNS))
    .requiredOption('--vendor <vendor>', 'id of the vendor, as vendor list prints it')
    .addOption(new Option('--after <cursor>', 'begin behind this cursor; else with the oldest row').argParser(parseCursor))
    .addOption(new Option('--cursor-file <file>', 'go on from the cursor in this file, and keep the last one there').conflicts('after'));
}

function parseCursor(text: string): ExportCursor {
  const cursor = cursorIn(text);
  if (cursor === null) throw new InvalidArgumentError('Give a cursor as each line of an export has it.');
  return cursor;
}
