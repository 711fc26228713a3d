/** Builds the page once for all stories and serves it under a sub-path, as a project page on the web would be. */
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'
import type { TestProject } from 'vitest/node'

const root = fileURLToPath(new URL('..', import.meta.url))
const SUB_PATH = '/projects/kubetab/'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the page is served. */
    pageUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = '.cache/stories-dist'
  // As it is published: under the tests' own environment it would be built with what helps development.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
  if (environment !== undefined) process.env.NODE_ENV = environment
  const server = await preview({
    root,
    base: SUB_PATH,
    logLevel: 'warn',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, open: false },
  })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string') throw new Error('the preview server has no port')
  project.provide('pageUrl', `http://127.0.0.1:${address.port}${SUB_PATH}`)
  return () => server.close()
}
