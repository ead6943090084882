import { allowedReturnUrl, returnUrlOf } from '../../services/portal/return-url.ts';

const LISTED = ['https://app.example.com', 'https://shop.example.com:8443/account', 'http://localhost:5173'];

describe('a URL to send a customer back to', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://app.example.com/billing?tab=1#plan', 'https://app.example.com/billing?tab=1#plan'],
    ['HTTPS://APP.EXAMPLE.COM/a', 'https://app.example.com/a'],
    ['https://app.example.com:443/', 'https://app.example.com/'],
    ['https://shop.example.com:8443/elsewhere', 'https://shop.example.com:8443/elsewhere'],
    ['http://localhost:5173/back', 'http://localhost:5173/back'],
  ])('is allowed where its origin is listed: %s', (given, opened) => {
    expect(allowedReturnUrl(given, LISTED)).toBe(opened);
  });

  it.each([
    ['another scheme', 'http://app.example.com/'],
    ['another port', 'https://app.example.com:8443/'],
    ['the listed port left out', 'https://shop.example.com/account'],
    ['a longer name', 'https://app.example.com.evil.example/'],
    ['a shorter name', 'https://example.com/'],
    ['a name below it', 'https://a.app.example.com/'],
    ['a final dot', 'https://app.example.com./'],
    ['the listed origin as a user name', 'https://app.example.com@evil.example/'],
    ['the listed origin as user name and password', 'https://app.example.com:x@evil.example/'],
    ['a user name before the listed origin', 'https://evil.example@app.example.com/'],
    ['the listed origin as a path', 'https://evil.example/https://app.example.com/'],
    ['the listed origin as a query', 'https://evil.example?https://app.example.com/'],
    ['the listed origin as a fragment', 'https://evil.example#https://app.example.com/'],
    ['a backslash', 'https://evil.example\\@app.example.com/'],
    ['backslashes for slashes', 'https:\\\\app.example.com/'],
    ['no slashes', 'https:app.example.com/'],
    ['one slash', 'https:/app.example.com/'],
    ['three slashes', 'https:///app.example.com/'],
    ['no scheme', '//app.example.com/'],
    ['a path alone', '/portal'],
    ['a line break', 'https://app.example.com/\r\nset-cookie: a=b'],
    ['a tab', 'https://app.exam\tple.com/'],
    ['a blank', ' https://app.example.com/'],
    ['a mark that is not seen', 'https://app.example.com/\u202e'],
    ['a script', 'javascript:alert(1)//https://app.example.com'],
    ['data', 'data:text/html,app.example.com'],
    ['letters that look alike', 'https://аpp.example.com/'],
    ['another port of this machine', 'http://localhost:5174/'],
    ['another name of this machine', 'http://127.0.0.1:5173/'],
    ['nothing', ''],
  ])('is refused with %s', (_, given) => {
    expect(allowedReturnUrl(given, LISTED)).toBeNull();
  });

  it.each(['https://example.com', 'http://localhost', 'http://127.0.0.1:3000/a', 'http://127.8.8.8', 'http://[::1]:3000'])(
    'may be listed: %s',
    (given) => expect(returnUrlOf(given)).not.toBeNull(),
  );

  it.each([
    'http://example.com',
    'http://localhost.evil.example',
    'http://0.0.0.0',
    'http://10.0.0.1',
    'ftp://localhost',
    'example.com',
    '*',
    'https://*.example.com',
    'https://example.com;script-src/logo.png',
    'https://example.com,example.org/logo.png',
  ])('may not be listed: %s', (given) => expect(returnUrlOf(given)).toBeNull());
});
