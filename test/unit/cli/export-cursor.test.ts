import { cursorIn, cursorText, type ExportCursor } from '../../../cli/export/cursor.ts';

describe('the cursor of an export', () => {
  it.each<ExportCursor>([
    { noun: 'invoice_item', scope: '5b1c07d2a9e4', place: { xid: 4_294_967_296_123n, id: 'Item_01a2086c-e015-76cc-a2dd-c92ea09294f7' } },
    { noun: 'posting', scope: '5b1c07d2a9e4', place: { xid: 900n, id: 'Txn_1/Wbc_1/clearing/some.provider/usd' } },
    { noun: 'customer', scope: '5b1c07d2a9e4', place: { xid: 0n, id: '' } },
  ])('is read as it was printed: $noun', (cursor) => {
    expect(cursorIn(cursorText(cursor))).toEqual(cursor);
  });

  it.each(['', 'Evt_1', 'wallet.5b1c07d2a9e4.1.x', 'invoice.5b1c07d2a9e4.x.y', 'invoice.5b1c07d2a9e4.1.two words', 'invoice.5b1c.1.'])(
    'is not "%s"',
    (text) => {
      expect(cursorIn(text)).toBeNull();
    },
  );
});
