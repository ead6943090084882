#!/usr/bin/env node
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Api } from './api.ts';
import { perennialServer } from './server.ts';

const { PERENNIAL_URL, PERENNIAL_API_KEY } = process.env;
if (PERENNIAL_URL && PERENNIAL_API_KEY && /^https?:\/\//i.test(PERENNIAL_URL) && URL.canParse(PERENNIAL_URL)) {
  const api = new Api(PERENNIAL_URL, PERENNIAL_API_KEY);
  serveStdio(() => perennialServer(api), { onerror: ({ message }) => process.stderr.write(`${message}\n`) });
} else {
  process.stderr.write(
    'Set PERENNIAL_URL to the address of the API, like https://billing.example.com, and PERENNIAL_API_KEY to a key (scope read is enough).\n',
  );
  process.exitCode = 1;
}
