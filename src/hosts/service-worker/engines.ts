import type { BrowserEngine } from '../shared/browser-engine'
import { databaseOf, FIRST_WORKSPACE } from '../shared/paths'
import { callPages } from './call-page'
import { ENGINE_FILE } from './engine-file'
import type { WorkerScope } from './scope'

declare function importScripts(address: string): void
declare const kubetabEngine: { BrowserEngine: typeof BrowserEngine }

importScripts(ENGINE_FILE)

const engines = new Map<string, BrowserEngine>()

export function theEngine(workspace: string = FIRST_WORKSPACE): BrowserEngine {
  const known = engines.get(workspace)
  if (known) return known
  const call = callPages(globalThis as unknown as WorkerScope, workspace)
  const built = new kubetabEngine.BrowserEngine({ databaseName: databaseOf(workspace), call })
  engines.set(workspace, built)
  return built
}

/** Only existing ones, so that stopping creates none. */
export const startedEngines = (): BrowserEngine[] => [...engines.values()]

/** The next request creates an engine from the stored state. */
export async function endEngines(): Promise<void> {
  const ending = startedEngines()
  engines.clear()
  await Promise.allSettled(ending.map((engine) => engine.end()))
}
