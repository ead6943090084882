/** Keeps the globals, the variables and the exit code of this process; the returned function gives them back. */
export function keepProcess(): () => void {
  const globals = Object.getOwnPropertyDescriptors(globalThis);
  const variables = { ...process.env };
  const { exit, exitCode } = process;
  const folder = process.cwd();
  return () => {
    giveBackGlobals(globals);
    giveBackVariables(variables);
    process.exit = exit;
    process.exitCode = exitCode;
    if (process.cwd() !== folder) process.chdir(folder);
  };
}

/** Those under a symbol belong to packages, which stay loaded. */
function giveBackGlobals(before: PropertyDescriptorMap): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!Object.hasOwn(before, name)) Reflect.deleteProperty(globalThis, name);
  for (const [name, was] of Object.entries(before)) {
    const is = Object.getOwnPropertyDescriptor(globalThis, name);
    if (is?.value !== was.value || is?.get !== was.get) Object.defineProperty(globalThis, name, was);
  }
}

function giveBackVariables(before: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(before, name)) delete process.env[name];
  Object.assign(process.env, before);
}
