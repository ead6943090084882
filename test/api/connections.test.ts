import { servers } from '../support/servers.ts';

it('an idle connection is kept for 75 s, longer than the 60 s after which load balancers give theirs up', async () => {
  const { baseUrl } = await servers();
  const answer = await fetch(`${baseUrl}/healthz`);
  await answer.text();
  expect(answer.headers.get('keep-alive')).toBe('timeout=75');
});
