/** From the engine's file to the engine, once, when it is first needed. */
import type { BrowserEngine } from '../shared/browser-engine'
import { ENGINE_CACHE } from '../shared/caches'
import { databaseOf, FIRST_WORKSPACE } from '../shared/paths'
import { callPages } from './call-page'
import { ENGINE_FILE } from './engine-file'
import type { WorkerScope } from './scope'

type EngineExports = { BrowserEngine: typeof BrowserEngine }

const address = new URL(ENGINE_FILE, location.href).href

let fetched: Promise<string> | undefined
let code: Promise<EngineExports> | undefined
const engines = new Map<string, Promise<BrowserEngine>>()

/**
 * Begins to fetch the engine's text, and keeps it; for a worker that is being installed.
 *
 * @returns when the text is kept, which a worker that replaces another has to wait for
 * @throws Error when the text cannot be read
 */
export async function installEngine(): Promise<void> {
  fetched = fetchText()
  const text = await fetched
  const kept = await caches.open(ENGINE_CACHE)
  await kept.put(address, new Response(text))
}

/**
 * The engine's text is kept again, if a person has removed what was kept.
 *
 * @throws Error when the text cannot be read
 */
export async function keepEngine(): Promise<void> {
  const kept = await caches.open(ENGINE_CACHE)
  if ((await kept.match(address)) === undefined) await kept.put(address, new Response(await fetchText()))
}

/** Lets go of the engines of workers that this one has replaced. */
export async function forgetOtherEngines(): Promise<void> {
  const kept = await caches.open(ENGINE_CACHE)
  const others = (await kept.keys()).filter((request) => request.url !== address)
  await Promise.all(others.map((request) => kept.delete(request)))
}

/**
 * The engine of a workspace: built with the first call. A failed one is tried again with the next.
 *
 * @throws Error when its file is neither kept nor to be fetched; EvalError where the site's policy forbids running texts
 */
export function theEngine(workspace: string = FIRST_WORKSPACE): Promise<BrowserEngine> {
  const known = engines.get(workspace)
  if (known) return known
  const built = buildEngine(workspace).catch((error: unknown) => {
    engines.delete(workspace)
    throw error
  })
  engines.set(workspace, built)
  return built
}

/** The engines that are built or being built: what ends must not be what begins it. */
export const enginesAskedFor = (): Promise<BrowserEngine>[] => [...engines.values()]

/** Who asks next meets one that knows what is stored then. */
export async function endEngines(): Promise<void> {
  const ending = enginesAskedFor()
  engines.clear()
  // One that could not be built has nothing to end.
  await Promise.allSettled(ending.map(async (engine) => (await engine).end()))
}

async function buildEngine(workspace: string): Promise<BrowserEngine> {
  code ??= runEngineFile().catch((error: unknown) => {
    code = undefined
    throw error
  })
  const { BrowserEngine } = await code
  const call = callPages(globalThis as unknown as WorkerScope, workspace)
  return new BrowserEngine({ databaseName: databaseOf(workspace), call })
}

async function runEngineFile(): Promise<EngineExports> {
  const text = await engineText()
  // Not a direct eval: the text is to see the global scope alone.
  // biome-ignore lint/security/noGlobalEval: see engine-file.ts; the text is this worker's own code
  const run = globalThis.eval
  return run(text) as EngineExports
}

async function engineText(): Promise<string> {
  const installing = fetched
  // Once it has been run it would only take room.
  fetched = undefined
  const text = await installing?.catch(() => undefined)
  return text ?? (await keptText()) ?? fetchText()
}

async function keptText(): Promise<string | undefined> {
  const kept = await caches.match(address, { cacheName: ENGINE_CACHE }).catch(() => undefined)
  return kept?.text()
}

async function fetchText(): Promise<string> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${ENGINE_FILE} could not be read (HTTP ${response.status}): the page's files are incomplete`)
  return response.text()
}
