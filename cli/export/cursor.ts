import { EXPORT_NOUNS, type ExportNoun } from '../../db/export/nouns.ts';
import type { ExportPlace } from '../../db/sql/export/read-changed.ts';

/** Where an export goes on: of which noun, on which server, behind which row. */
export interface ExportCursor {
  noun: ExportNoun;
  server: string;
  place: ExportPlace;
}

const SHAPE = new RegExp(`^(${EXPORT_NOUNS.join('|')})\\.([0-9a-f]{12})\\.(\\d{1,19})\\.(\\S*)$`);

/** @returns null for what is no cursor */
export function cursorIn(text: string): ExportCursor | null {
  const [, noun, server, xid, id] = SHAPE.exec(text) ?? [];
  if (noun === undefined || server === undefined || xid === undefined || id === undefined) return null;
  return { noun: noun as ExportNoun, server, place: { xid: BigInt(xid), id } };
}

export const cursorText = ({ noun, server, place }: ExportCursor): string => `${noun}.${server}.${place.xid}.${place.id}`;
