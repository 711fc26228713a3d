/**
 * Serves the built page: each worker that runs stories has a server of its own, as a server's bridge carries requests to one tab.
 * Browsers cannot keep the page from there: every story would have all of it fetched beside what it does. `offline.test.ts` and
 * `stored.test.ts` serve it as it is.
 */
import type { TestProject } from 'vitest/node'
import { buildPage, servePage } from '../scripts/serve-page'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the page is served: for each worker another place. */
    pageUrls: string[]
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
