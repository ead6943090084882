import { ConfigError } from '../config/parse.ts';
import { type Command, print, UnreachableError, UsageError } from './command.ts';

/** Loaded when called: a command that needs little starts quickly. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).startCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  vendor: async () => (await import('./vendor.ts')).vendorCommand,
  reconcile: async () => (await import('./reconcile.ts')).reconcileCommand,
  demo: async () => (await import('./demo/demo.ts')).demoCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
};

async function main([name, ...args]: readonly string[]): Promise<number> {
  const load = name === undefined ? undefined : commands[name];
  if (!load) {
    const asked = name === undefined || name === 'help' || isHelp(name);
    if (!asked) process.stderr.write(`there is no command ${name}\n\n`);
    await help();
    return asked ? 0 : 2;
  }
  const command = await load();
  if (args.some(isHelp)) {
    print(`npm run cli -- ${command.usage}\n\n  ${command.does}`);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\nusage: npm run cli -- ${command.usage}\n`);
      return 2;
    }
    if (error instanceof UnreachableError) {
      process.stderr.write(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

async function help(): Promise<void> {
  print('npm run cli -- COMMAND\n');
  for (const load of Object.values(commands)) {
    const { usage, does } = await load();
    print(`  ${usage.padEnd(28)} ${does}`);
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error}\n`,
  );
  process.exitCode = 1;
}
