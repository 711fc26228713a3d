/** Serves the built page, once for all stories. */
import type { TestProject } from 'vitest/node'
import { servePage } from '../scripts/serve-page'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the page is served. */
    pageUrl: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await servePage()
  project.provide('pageUrl', url)
  return close
}
