import { takeHome } from '../../local-stack/home.ts';
import { preparePostgres } from '../../local-stack/postgres.ts';

/** A copy that starts Postgres and then waits to be killed; run as a program by the test in this folder. */
const home = await takeHome(process.argv[2] ?? '', () => {});
const postgres = await preparePostgres(home, () => {});
const child = await postgres.start();
process.stdout.write(`${JSON.stringify({ pid: child.pid, url: postgres.url })}\n`);
process.stdin.resume();
