import fc from 'fast-check';
import { parseJson } from '../../../api/http/json.ts';
import { describeFault, faultIn } from '../../../api/http/json-fault.ts';
import { runs } from '../../support/runs.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a body that is not JSON', () => {
  it.each([
    ['{"name":', 'it ends too early, at line 1, column 9'],
    ['', 'it ends too early, at line 1, column 1'],
    ['{"a": }', 'line 1, column 7 has an unexpected "}"'],
    ["{'a': 1}", 'line 1, column 2 has an unexpected "\'"'],
    ['{\n  "a": 1,\n}', 'line 3, column 1 has an unexpected "}"'],
    ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 'line 3, column 3 has an unexpected "\\""'],
    ['[1, 2', 'it ends too early, at line 1, column 6'],
    ['[01]', 'line 1, column 3 has an unexpected "1"'],
    ['{"a":"x\ny"}', 'line 1, column 8 has an unexpected "\\n"'],
    ['{"a":"\\x"}', 'line 1, column 7 has an unexpected "\\\\"'],
    ['{} {}', 'line 1, column 4 has an unexpected "{"'],
    ['[1}', 'line 1, column 3 has an unexpected "}"'],
    ['😀', 'line 1, column 1 has an unexpected "😀"'],
  ])('%j is located by line and column', (text, fault) => {
    expect(describeFault(text)).toBe(fault);
    expect(() => parseJson(text)).toThrow(
      expect.objectContaining({ code: 'invalid_json', message: `The body is not valid JSON: ${fault}.` }),
    );
  });

  it('is distinguished from valid JSON, whatever is broken', () => {
    const broken = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '1', '-', 'e', '\\', '\n', 'true'),
      fc.nat(2),
    );
    fc.assert(
      fc.property(broken, ([text, at, with_, gone]) => {
        const place = text.length === 0 ? 0 : at % text.length;
        const made = text.slice(0, place) + with_ + text.slice(place + gone);
        expect(faultIn(made) === null).toBe(isJson(made));
      }),
      runs(),
    );
  });

  it('is scanned once: a megabyte of text without its end', () => {
    expect(faultIn(`{"a":"${'x'.repeat(1_000_000)}`)).toBe(1_000_006);
  });
});
