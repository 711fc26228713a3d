/**
 * Serves the built page. Each worker that runs stories has its own server, because a server's
 * bridge serves one tab. The offline copy is switched off, since every story would download it;
 * `offline.test.ts` and `stored.test.ts` serve the page unchanged.
 */
import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { buildPage, servePage } from '../scripts/serve-page'
import { PROFILES } from './visited-pages'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the page is served: for each worker another place. */
    pageUrls: string[]
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  rmSync(PROFILES, { recursive: true, force: true })
  await buildPage()
  const served = await Promise.all(
    Array.from({ length: project.config.maxWorkers }, () => servePage({ built: true, many: true })),
  )
  project.provide(
    'pageUrls',
    served.map(({ url }) => url),
  )
  return async () => {
    await Promise.all(served.map(({ close }) => close()))
  }
}
