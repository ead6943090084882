import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { cookiesOf, openCookies } from '../../../portal/http/cookie.ts';

let server: Server;
afterEach(() => new Promise((done) => server.close(done)));

/** Starts a program that gives all cookies and says which session it has read. */
async function start(baseUrl: string): Promise<(cookie: string) => Promise<{ session: string; set: string[] }>> {
  const app = new Koa();
  app.use(openCookies({ baseUrl }));
  app.use((ctx) => {
    const cookies = cookiesOf(ctx);
    ctx.body = cookies.session ?? 'none';
    cookies.setSession('new');
    cookies.setLanguage('de');
    cookies.setNote('done');
    cookies.clear('note');
  });
  server = createServer(app.callback());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return async (cookie) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } });
    return { session: await response.text(), set: response.headers.getSetCookie() };
  };
}

describe('the cookies of the portal', () => {
  it('are bound to the host where its address is https: prefixed, secure, for all paths, without a domain', async () => {
    const ask = await start('https://billing.example.com');
    const { set } = await ask('');
    expect(set).toEqual([
      '__Host-perennial_portal=new; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-perennial_portal_language=de; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-perennial_portal_note=done; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure',
      '__Host-perennial_portal_note=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
  });

  it('are read by that name alone, so that one from a neighbour host counts for nothing', async () => {
    const ask = await start('https://billing.example.com');
    expect((await ask('perennial_portal=theirs')).session).toBe('none');
    expect((await ask('perennial_portal=theirs; __Host-perennial_portal=ours')).session).toBe('ours');
  });

  it('belong to the portal’s paths over http, where browsers refuse the prefix', async () => {
    const ask = await start('http://127.0.0.1:3000');
    const { session, set } = await ask('perennial_portal=ours');
    expect([session, set[0]]).toEqual(['ours', 'perennial_portal=new; Path=/portal; HttpOnly; SameSite=Lax']);
  });
});
