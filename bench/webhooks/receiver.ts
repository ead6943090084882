import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// takes each delivery at once; a process of its own, so that it isn't counted
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
