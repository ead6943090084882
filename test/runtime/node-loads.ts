import { createRequire, enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const { default: Runtime } = require('jest-runtime') as typeof import('jest-runtime');
const { getBuiltinModule } = process;

const ROOT = join(import.meta.dirname, '../..');
const TESTS = pathToFileURL(join(ROOT, 'test/')).href;
/** The same as for the programs under test (`local-stack/services.ts`). */
const COMPILED = join(ROOT, 'node_modules/.cache/perennial/compiled');

/** Counts the test files of this process. */
let file = 0;
/** Between two of them, and when the servers are stopped in the end, code below `test/` is that of the process. */
let isInFile = false;

/**
 * Node itself loads the code, once per process, where Jest would load all of it again for each test file. Only the
 * files below `test/` are loaded for each: what they share may keep something, and close it when the test file ends.
 */
export class NodeLoads extends Runtime {
  constructor(...args: ConstructorParameters<typeof Runtime>) {
    super(...args);
    // Jest has put its own loader there
    process.getBuiltinModule = getBuiltinModule;
  }

  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(path: string): Promise<void> {
    await import(pathToFileURL(path).href);
  }

  /** Jest asks for what collects and runs the tests, which keeps them in its module: each file gets one of its own. */
  override requireInternalModule<T>(path: string): T {
    file += 1;
    isInFile = true;
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path);
  }

  /** Tests find `jest` among the globals: the package that exports it works only where Jest loads the modules. */
  override setGlobalsForRuntime(globals: Parameters<InstanceType<typeof Runtime>['setGlobalsForRuntime']>[0]): void {
    super.setGlobalsForRuntime(globals);
    const { jestGlobals, _testPath } = this as unknown as { jestGlobals: { jestObjectFor(path: string): object }; _testPath: string };
    Object.assign(globalThis, { jest: jestGlobals.jestObjectFor(_testPath) });
  }

  /** A worker that has run all its files may be killed: what it has compiled is kept before. */
  override teardown(): void {
    super.teardown();
    isInFile = false;
    flushCompileCache();
  }
}

enableCompileCache(COMPILED);
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return isInFile && found.url.startsWith(TESTS) ? { ...found, url: `${found.url}?file=${file}` } : found;
  },
});
