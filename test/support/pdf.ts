import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { servers } from './servers.ts';

/** A document as the API gives it. */
export async function downloadPdf(key: string, path: string): Promise<Buffer> {
  const { baseUrl } = await servers();
  const answer = await fetch(new URL(path, baseUrl), { headers: { 'wb-key': key } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await answer.arrayBuffer());
}

/** The text of each sheet, parts joined by blanks. */
export async function sheetsOf(pdf: Uint8Array): Promise<string[]> {
  const document = await getDocument({ data: new Uint8Array(pdf), useSystemFonts: true, verbosity: 0 }).promise;
  const sheets: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    sheets.push(
      items
        .map((item) => ('str' in item ? item.str : ''))
        .join(' ')
        .replace(/\s+/g, ' '),
    );
  }
  await document.destroy();
  return sheets;
}
