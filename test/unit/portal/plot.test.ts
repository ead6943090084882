import { axisSteps, barPlot, usageBar } from '../../../portal/parts/plot.ts';

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
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [1234, [0, 500, 1000, 1500]],
    [12_000, [0, 5000, 10_000, 15_000]],
    [99, [0, 25, 50, 75, 100]],
  ])('up to %d are %j', (largest, steps) => {
    expect(axisSteps(largest)).toEqual(steps);
  });

  it('are round, equal and at most six, and reach the largest value', () => {
    for (let n = 1; n < 2_000; n += 1) {
      const largest = n * 1.37;
      const steps = axisSteps(largest);
      expect(steps.length).toBeLessThanOrEqual(6);
      expect(steps.at(-1)).toBeGreaterThanOrEqual(largest);
      expect(steps.at(-2)).toBeLessThan(largest);
    }
  });
});

describe('a plot of bars', () => {
  it('draws 500 and 1,000 of 1,000 as half and full height on one base line', () => {
    const [half = [], full = []] = barsIn(plot(['500', '1000']));
    expect([half[3], full[3]]).toEqual([69, 138]);
    expect((half[1] ?? 0) + (half[3] ?? 0)).toBe((full[1] ?? 0) + (full[3] ?? 0));
  });

  it('draws nothing for zero and below, and a line for a value too small to be seen', () => {
    expect(barsIn(plot(['0', '-3', '0.000001', '1000'])).map(([, , , height]) => height)).toEqual([2, 138]);
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
    expect(svg.match(/class="plot-bar plot-running"[^>]* fill="url\(#p-hatch\)"/g)).toHaveLength(1);
    expect(svg.match(/plot-minor/g)).toHaveLength(8);
    expect(svg).toMatch(/class="plot-axis"[^>]*>m11</);
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
