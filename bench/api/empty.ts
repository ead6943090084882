import Koa from 'koa';

/** What Koa does when it has nothing to do: the measure for everything else in the run. */
const [port = '0'] = process.argv.slice(2);
const app = new Koa();
app.use((context) => {
  context.body = {};
});
app.listen(Number(port), '127.0.0.1');
