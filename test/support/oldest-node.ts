import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** The oldest Node of this machine that our packages are for; the one that runs the tests where there is no other. */
export async function oldestNode(): Promise<string> {
  const found = [{ major: Number(process.versions.node.split('.')[0]), program: process.execPath }];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const program = join(folder, 'node');
    const major = await promisify(execFile)(program, ['-p', 'process.versions.node.split(".")[0]']).then(
      ({ stdout }) => Number(stdout),
      () => Number.NaN,
    );
    if (major >= 20) found.push({ major, program });
  }
  return found.toSorted((a, b) => a.major - b.major)[0]?.program ?? process.execPath;
}
