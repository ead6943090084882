import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STOOD_STILL } from '../../metrics/event-loop.ts';
import { logsOf } from './servers.ts';

/**
 * When API and worker answered nobody for a second or more, one line each, from their logs: what a test then waited for
 * in vain has a name.
 */
export async function standstillsIn(home: string): Promise<string[]> {
  const logs = await Promise.all(['api', 'worker'].map((name) => readFile(join(logsOf(home), `${name}.log`), 'utf8')));
  return logs
    .flatMap((log) => log.split('\n'))
    .filter((line) => line.endsWith(`"msg":"${STOOD_STILL}"}`))
    .map((line) => {
      const { time, service, ms, busy_ms } = JSON.parse(line);
      return `${new Date(time).toISOString()} the ${service} had stood still for ${ms} ms: its own thread ran for ${busy_ms} ms of it`;
    });
}
