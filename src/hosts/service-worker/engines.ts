/** The engines of this worker, one of each workspace, each built when it is first requested. */
import type { BrowserEngine } from '../shared/browser-engine'
import { databaseOf, FIRST_WORKSPACE } from '../shared/paths'
import { callPages } from './call-page'
import { ENGINE_FILE } from './engine-file'
import type { WorkerScope } from './scope'

declare function importScripts(address: string): void
declare const kubetabEngine: { BrowserEngine: typeof BrowserEngine }

importScripts(ENGINE_FILE)

const engines = new Map<string, BrowserEngine>()

/** The engine of a workspace: built with the first call. */
export function theEngine(workspace: string = FIRST_WORKSPACE): BrowserEngine {
  const known = engines.get(workspace)
  if (known) return known
  const call = callPages(globalThis as unknown as WorkerScope, workspace)
  const built = new kubetabEngine.BrowserEngine({ databaseName: databaseOf(workspace), call })
  engines.set(workspace, built)
  return built
}

/** Those that were requested: what ends must not be what begins it. */
export const startedEngines = (): BrowserEngine[] => [...engines.values()]

/** Who asks next meets one that knows what is stored then. */
export async function endEngines(): Promise<void> {
  const ending = startedEngines()
  engines.clear()
  await Promise.allSettled(ending.map((engine) => engine.end()))
}
