import { read } from './sources.ts';

type Locked = { version?: string; optionalDependencies?: Record<string, string> };

/**
 * `npm install` drops the programs for other platforms from the lock file when the registry at hand doesn't carry them,
 * and `npm ci` then refuses to run anywhere.
 */
describe('the lock file', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };

  it('has a version of every package', () => {
    expect(Object.entries(packages).filter(([, locked]) => !locked.version)).toEqual([]);
  });

  it('names the optional packages of every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`]),
    );
    expect(missing).toEqual([]);
  });
});
