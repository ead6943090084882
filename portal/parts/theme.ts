/** Colours of one theme that follow from a vendor's colour. */
interface Accent {
  /** a button's ground */
  readonly ground: string;
  /** text on that ground */
  readonly onGround: string;
  /** links, bars and focus rings */
  readonly ink: string;
}

/** WCAG 2.2: text (1.4.3), and parts of controls (1.4.11). */
const TEXT_CONTRAST = 4.5;
const CONTROL_CONTRAST = 3;
const COLOR = /^#[0-9a-f]{6}$/;
/** A colour is mixed with black or white in steps of five percent, of which the last one always has the contrast. */
const STEPS = 20;

/** The grounds that text of the accent stands on; `style.ts` has the same. */
const GROUNDS = { light: ['#ffffff', '#f6f7f9'], dark: ['#1a1f26', '#12161b'] } as const;

/** Whether a text is a colour that a theme can be made of: `#rrggbb`, in any case. */
export const isColor = (text: string): boolean => COLOR.test(text.toLowerCase());

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours as WCAG 2.2 defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
}

/** `part` of 1 is the other colour alone. */
function mixed(color: string, other: string, part: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(color).map((channel, at) => Math.round(channel + ((others[at] ?? 0) - channel) * part));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** The first mixture with `toward` that has the contrast on every ground. */
function legible(color: string, toward: string, grounds: readonly string[], least: number): string {
  for (let step = 0; step < STEPS; step += 1) {
    const found = mixed(color, toward, step / STEPS);
    if (grounds.every((ground) => contrast(found, ground) >= least)) return found;
  }
  return toward;
}

/** What a vendor's colour becomes on light and dark grounds, so that all text of it and on it can be read. */
export function accentOf(color: string, theme: keyof typeof GROUNDS): Accent {
  const toward = theme === 'light' ? '#000000' : '#ffffff';
  const own = color.toLowerCase();
  const ground = legible(own, toward, GROUNDS[theme], CONTROL_CONTRAST);
  // one of the two always has 4.58 and more
  const onGround = contrast(ground, '#ffffff') >= TEXT_CONTRAST ? '#ffffff' : '#000000';
  return { ground, onGround, ink: legible(own, toward, GROUNDS[theme], TEXT_CONTRAST) };
}

const variables = ({ ground, onGround, ink }: Accent): string => `--accent: ${ground}; --on-accent: ${onGround}; --accent-ink: ${ink};`;

/** The style sheet that gives the pages a vendor's colour, `#rrggbb`. */
export const themeStyle = (color: string): string =>
  `:root { ${variables(accentOf(color, 'light'))} }
@media (prefers-color-scheme: dark) { :root { ${variables(accentOf(color, 'dark'))} } }
`;
