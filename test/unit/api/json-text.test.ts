import fc from 'fast-check';
import { jsonText } from '../../../api/http/json-text.ts';

/** The text, and how often others get their turn while it is written. */
function written(value: unknown): { text: string | undefined; pauses: number } {
  const writing = jsonText(value);
  for (let pauses = 0; ; pauses += 1) {
    const { done, value: text } = writing.next();
    if (done) return { text, pauses };
  }
}

describe('the text of a response', () => {
  it('is that of JSON.stringify, however long its lists are', () => {
    const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined), fc.date({ noInvalidDate: true }));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
        fc.array(tie('value'), { minLength: 15, maxLength: 30 }),
      ),
    }));
    fc.assert(fc.property(value, (any) => expect(written(any).text).toBe(JSON.stringify(any))));
  });

  it.each([
    ['a list of 21', 21, Array.from({ length: 21 }, (_, n) => n)],
    ['a list of 20', 0, Array.from({ length: 20 }, (_, n) => n)],
    ['a page of invoices, one of which has 100 lines', 102, { hits: [{ lines: [1] }, { lines: Array.from({ length: 100 }, () => ({})) }] }],
  ])('pauses after each element of %s', (_, pauses, value) => {
    expect(written(value)).toEqual({ text: JSON.stringify(value), pauses });
  });
});
