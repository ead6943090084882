// One start of the servers for all of them: callers while a server is away or stands still.
import './api-outage.ts';
import './frozen-postgres.ts';
import './late-reads.ts';
import './sales-without-temporal.ts';
