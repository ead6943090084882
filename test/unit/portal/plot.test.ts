import { axisSteps, barPlot, seriesPlot, usageBar } from '../../../portal/parts/plot.ts';

const plot = (values: string[]) =>
  barPlot({
    id: 'p',
    title: 'Calls <1>',
    description: 'Two periods.',
    bars: values.map((value, at) => ({ short: `m${at}`, value, isRunning: at === values.length - 1 })),
    axis: String,
  }).text;

/** Height and place of each bar. */
const barsIn = (svg: string) =>
  [...svg.matchAll(/<rect class="plot-bar[^"]*" x="([\d.]+)%" y="([\d.]+)" width="([\d.]+)%" height="([\d.]+)"/g)].map(([, ...numbers]) =>
    numbers.map(Number),
  );

describe('the steps of an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [1234, [0, 500, 1000, 1500]],
    [12_000, [0, 2000, 4000, 6000, 8000, 10_000, 12_000]],
    [99, [0, 20, 40, 60, 80, 100]],
  ])('up to %d are %j', (largest, steps) => {
    expect(axisSteps(largest)).toEqual(steps);
  });

  it('are round, equal and at most eight, and reach the least and the largest value', () => {
    for (let n = 1; n < 2_000; n += 1) {
      const [largest, least] = [n * 1.37, -(n % 97) * 3.1];
      const steps = axisSteps(largest, least);
      expect(steps.length).toBeLessThanOrEqual(8);
      expect(steps.at(-1)).toBeGreaterThanOrEqual(largest);
      expect(steps.at(-2)).toBeLessThan(largest);
      expect(steps[0]).toBeLessThanOrEqual(least);
      expect(steps).toContain(0);
    }
  });

  it('go below zero where something is lost', () => {
    expect(axisSteps(100, -40)).toEqual([-50, 0, 50, 100]);
    expect(axisSteps(0, -7)).toEqual([-8, -6, -4, -2, 0]);
  });
});

describe('a plot of bars', () => {
  it('draws 500 and 1,000 of 1,000 as half and full height on one base line', () => {
    const [half = [], full = []] = barsIn(plot(['500', '1000']));
    expect([half[3], full[3]]).toEqual([69, 138]);
    expect((half[1] ?? 0) + (half[3] ?? 0)).toBe((full[1] ?? 0) + (full[3] ?? 0));
  });

  it('draws nothing for zero, a line for a value too small to be seen, and what is below zero down from the same line', () => {
    expect(barsIn(plot(['0', '0.000001', '1000'])).map(([, , , height]) => height)).toEqual([2, 138]);
    const [gain = [], loss = []] = barsIn(plot(['500', '-500']));
    // the axis goes from -600 to 600
    expect([gain[3], loss[3]]).toEqual([57.5, 57.5]);
    expect((gain[1] ?? 0) + (gain[3] ?? 0)).toBe(loss[1]);
    expect(barsIn(plot(['0', '0']))).toEqual([]);
    expect(barsIn(plot([]))).toEqual([]);
  });

  it('stays within its width with one bar and with twelve', () => {
    for (const count of [1, 12])
      for (const [x = 0, , width = 0] of barsIn(plot(Array.from({ length: count }, () => '1')))) {
        expect(x).toBeGreaterThan(13);
        expect(x + width).toBeLessThan(100);
      }
  });

  it('names itself to who does not see it, escaped, and hides lines and bars there', () => {
    const svg = plot(['1', '2']);
    expect(svg).toContain('role="img" aria-labelledby="p-title p-desc"');
    expect(svg).toContain('<title id="p-title">Calls &lt;1&gt;</title><desc id="p-desc">Two periods.</desc>');
    expect(svg).toContain('<g aria-hidden="true">');
  });

  it('hatches the bar that may still grow, and keeps four of twelve labels for a phone', () => {
    const svg = plot(Array.from({ length: 12 }, () => '1'));
    expect(svg.match(/class="plot-bar plot-main plot-running"[^>]* fill="url\(#p-hatch-0\)"/g)).toHaveLength(1);
    expect(svg.match(/plot-minor/g)).toHaveLength(8);
    expect(svg).toMatch(/class="plot-axis"[^>]*>m11</);
  });
});

describe('a plot of several kinds', () => {
  const several = (layout: 'beside' | 'stacked', ...kinds: string[][]) =>
    seriesPlot({
      id: 's',
      title: 'Moves',
      description: 'Three kinds.',
      places: (kinds[0] ?? []).map((_, at) => ({ short: `m${at}`, isRunning: false })),
      series: kinds.map((values, kind) => ({ name: `kind ${kind}`, tone: (['main', 'second', 'loss'] as const)[kind] ?? 'less', values })),
      layout,
      axis: String,
      words: (value) => `USD ${value}`,
    }).text;

  it('stacks what is gained up from zero and what is lost down from it, each as high as it is', () => {
    const [first = [], second = [], lost = []] = barsIn(several('stacked', ['100'], ['50'], ['-150']));
    // the axis goes from -200 to 200, so that 100 is 34.5 pixels
    expect([first[3], second[3], lost[3]]).toEqual([34.5, 17.25, 51.75]);
    const zero = (first[1] ?? 0) + (first[3] ?? 0);
    expect((second[1] ?? 0) + (second[3] ?? 0)).toBe(first[1]);
    expect(lost[1]).toBe(zero);
  });

  it('puts kinds beside each other within the place of one bar', () => {
    const [one = [], other = []] = barsIn(several('beside', ['10'], ['20']));
    const [alone = []] = barsIn(several('beside', ['10']));
    expect((one[0] ?? 0) + (one[2] ?? 0)).toBeLessThan(other[0] ?? 0);
    expect([one[0], (other[0] ?? 0) + (other[2] ?? 0)]).toEqual([alone[0], expect.closeTo((alone[0] ?? 0) + (alone[2] ?? 0), 1)]);
  });

  it('says what each colour means, and under the pointer what each bar is', () => {
    const svg = several('stacked', ['100'], ['50'], ['-150']);
    expect([...svg.matchAll(/<\/svg> (kind \d)<\/li>/g)].map(([, name]) => name)).toEqual(['kind 0', 'kind 1', 'kind 2']);
    expect(svg).toContain('<title>m0, kind 2: USD -150</title>');
  });
});

describe('a bar of usage', () => {
  const bar = (used: string, limit: string) => usageBar({ id: 'u', used, limit }).text;

  it('is filled to the share that is used', () => {
    expect(bar('2500', '10000')).toContain('<rect class="usage-used" width="25%"');
    expect(bar('0', '10')).toContain('width="0%"');
    expect(bar('0', '0')).toContain('width="0%"');
  });

  it('shows what is above the limit hatched, beside the part within it', () => {
    expect(bar('15', '10')).toContain('<rect class="usage-used" width="66.67%"');
    expect(bar('15', '10')).toContain('<rect class="usage-over" x="66.67%" width="33.33%" height="10" fill="url(#u-over)"');
  });
});
