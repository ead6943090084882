import { hash } from 'node:crypto';
import { EXPORT_NOUNS, type ExportNoun } from '../../db/export/nouns.ts';
import type { ExportPlace } from '../../db/sql/export/read-changed.ts';

const SCOPE_LENGTH = 12;

/** Where an export goes on: of which noun, of whose rows on which server, behind which row. */
export interface ExportCursor {
  noun: ExportNoun;
  scope: string;
  place: ExportPlace;
}

/** Names a vendor's rows on a server: a place says nothing of another vendor's, though its numbers are the same. */
export const scopeOf = (server: string, vendorId: string): string => hash('sha256', `${server} ${vendorId}`).slice(0, SCOPE_LENGTH);

const SHAPE = new RegExp(`^(${EXPORT_NOUNS.join('|')})\\.([0-9a-f]{${SCOPE_LENGTH}})\\.(\\d{1,19})\\.(\\S*)$`);

/** @returns null for what is no cursor */
export function cursorIn(text: string): ExportCursor | null {
  const [, noun, scope, xid, id] = SHAPE.exec(text) ?? [];
  if (noun === undefined || scope === undefined || xid === undefined || id === undefined) return null;
  return { noun: noun as ExportNoun, scope, place: { xid: BigInt(xid), id } };
}

export const cursorText = ({ noun, scope, place }: ExportCursor): string => `${noun}.${scope}.${place.xid}.${place.id}`;
