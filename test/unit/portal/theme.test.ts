import fc from 'fast-check';
import { assetAt, STYLE_ADDRESS, themeAddress } from '../../../portal/http/asset.ts';
import { STYLE } from '../../../portal/parts/style.ts';
import { accentOf, contrast, isColor } from '../../../portal/parts/theme.ts';

/** The colours that `style.ts` gives a variable, in light and then in dark. */
const colorsOf = (variable: string): string[] =>
  [...STYLE.matchAll(new RegExp(`--${variable}: (#[0-9a-f]{6})`, 'g'))].map(([, c = '']) => c);

const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe("a vendor's colour", () => {
  it.each(['light', 'dark'] as const)('becomes readable on every ground of the %s pages', (theme) => {
    const at = theme === 'light' ? 0 : 1;
    const grounds = [colorsOf('paper')[at] ?? '', colorsOf('ground')[at] ?? ''];
    fc.assert(
      fc.property(colors, (color) => {
        const { ground, onGround, ink } = accentOf(color, theme);
        expect(contrast(onGround, ground)).toBeGreaterThanOrEqual(4.5);
        for (const page of grounds) {
          expect(contrast(ink, page)).toBeGreaterThanOrEqual(4.5);
          expect(contrast(ground, page)).toBeGreaterThanOrEqual(3);
        }
      }),
    );
  });

  it('stays as it is where it is readable already', () => {
    expect(accentOf('#1F6F54', 'light')).toEqual({ ground: '#1f6f54', onGround: '#ffffff', ink: '#1f6f54' });
    expect(accentOf('#ffdd00', 'dark')).toEqual({ ground: '#ffdd00', onGround: '#000000', ink: '#ffdd00' });
  });

  it('is nothing but six digits', () => {
    expect(['#1F6f54', '#fff', 'red', '#1f6f54;}', '#1f6f5g', ''].map(isColor)).toEqual([true, false, false, false, false, false]);
  });
});

describe('the own colours of the pages', () => {
  it('keep 4.5 between text and ground', () => {
    for (const at of [0, 1]) {
      const color = (name: string): string => colorsOf(name)[at] ?? '';
      for (const [ink, ground] of [
        ...['ink', 'soft', 'accent-ink', 'good', 'warn', 'bad'].flatMap((ink) => [
          [ink, 'paper'],
          [ink, 'ground'],
        ]),
        ['ink', 'hover'],
        ['on-accent', 'accent'],
        ['good', 'good-soft'],
        ['warn', 'warn-soft'],
        ['bad', 'bad-soft'],
      ] as const) {
        expect([ink, ground, contrast(color(ink), color(ground)) >= 4.5]).toEqual([ink, ground, true]);
      }
      expect(contrast(color('control'), color('paper'))).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('the style sheet of a colour', () => {
  it('has an address of its own, and there is none for what is no colour', () => {
    expect(assetAt(themeAddress('#AABBCC'))?.text).toContain('--accent-ink: #');
    const path = themeAddress('#aabbcc');
    for (const other of ['AABBCC', 'red', 'aabbcc00', '', '../x'])
      expect([other, assetAt(path.replace('aabbcc', other))]).toEqual([other, null]);
    expect(assetAt(STYLE_ADDRESS)?.text).toBe(STYLE);
  });
});
