import fc from 'fast-check';
import { JsonNumber, parseJson } from '../../../api/http/json.ts';
import { parseQuery } from '../../../api/http/query.ts';
import { DecimalInput } from '../../../api/schema/common.ts';
import { runs } from '../../support/runs.ts';

describe('a JSON body', () => {
  it('is parsed like JSON.parse does, unless a number would lose digits', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!/\\u0000|\\ud[89a-f]/i.test(text) && isAccepted(text));
        expect(JSON.stringify(restored(parseJson(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      runs(),
    );
  });

  it.each([
    ['0.1', 0.1],
    ['1.0', 1],
    ['1e3', 1000],
    ['12345678901234567890', new JsonNumber('12345678901234567890')],
    ['0.10', new JsonNumber('0.10')],
    ['1e-7', 1e-7],
    ['1E400', new JsonNumber('1E400')],
  ])('number %s is read exactly', (text, value) => {
    expect(parseJson(`{"n":${text}}`)).toEqual({ n: value });
    expect(parseJson(`[ ${text} ]`)).toEqual([value]);
  });

  it('with a repeated key is refused, also when one has an escape', () => {
    for (const text of ['{"a":1,"a":2}', '{"x":{"a":1,"\\u0061":2}}', '[{"a":1},{"b":1,"b":1}]'])
      expect(() => parseJson(text)).toThrow('twice');
    expect(parseJson('{"a":{"a":1},"b":"\\"a\\":1,\\"a\\":"}')).toEqual({ a: { a: 1 }, b: '"a":1,"a":' });
  });
});

/** Whether `parseJson` accepts the text: it refuses repeated keys, which JSON.parse drops. */
function isAccepted(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

const restored = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one: unknown) => (one instanceof JsonNumber ? Number(one.source) : one)));

describe('a decimal', () => {
  it('of 26 + 12 digits stays exact, as text and as number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 26n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), (whole, part) => {
        const fraction = part.toString().padStart(12, '0').replace(/0+$/, '');
        const text = fraction === '' ? String(whole) : `${whole}.${fraction}`;
        expect(DecimalInput.parse(text)).toBe(text);
        expect(DecimalInput.parse((parseJson(`[${text}]`) as unknown[])[0])).toBe(text);
      }),
      runs(),
    );
  });
});

describe('a query', () => {
  it('reads brackets as maps and refuses repeated parameters', () => {
    expect(parseQuery('a=1&m[x]=2&m[0]=y&b=%C3%A4+z')).toEqual({ a: '1', m: { x: '2', '0': 'y' }, b: 'ä z' });
    for (const text of ['a=1&a=2', 'm[x]=1&m[x]=2', 'm=1&m[x]=2', 'a=%zz', 'a=%00']) expect(() => parseQuery(text)).toThrow();
  });
});
