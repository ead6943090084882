/** One value of a series, as a process shows it. */
export interface Sample {
  series: string;
  labels: Record<string, string>;
  value: number;
}

/** The text of `/metrics` of a process. */
export const metricsAt = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

/** Reads Prometheus' text format. */
export const samplesOf = (text: string): Sample[] =>
  [...text.matchAll(/^([a-zA-Z_:]\w*)(?:\{(.*)\})? (\S+)$/gm)].map(([, series = '', labels = '', value = '']) => ({
    series,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text])),
    value: Number(value),
  }));

/** The value of a series with these labels among others; 0 where it has none yet. */
export const seriesValue = (samples: readonly Sample[], series: string, labels: Readonly<Record<string, string>> = {}): number =>
  samples
    .filter((sample) => sample.series === series && Object.entries(labels).every(([label, text]) => sample.labels[label] === text))
    .reduce((all, { value }) => all + value, 0);
