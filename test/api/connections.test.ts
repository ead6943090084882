import { servers } from '../support/servers.ts';

it('an idle connection stays open for 75 s, longer than the 60 s of load balancers', async () => {
  const { baseUrl } = await servers();
  const response = await fetch(`${baseUrl}/healthz`);
  await response.text();
  expect(response.headers.get('keep-alive')).toBe('timeout=75');
});
