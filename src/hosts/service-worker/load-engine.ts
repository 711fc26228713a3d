/** From the text of the engine to the engine, once, when it is first needed. */
import type { BrowserEngine } from '../shared/browser-engine'
import { ENGINE_TEXT } from './engine-text'

type EngineExports = { BrowserEngine: new () => BrowserEngine }

let engine: BrowserEngine | undefined

/** The engine of this worker: built with the first call. @throws EvalError where the site's policy forbids running texts */
export function theEngine(): BrowserEngine {
  if (engine === undefined) {
    // Not a direct eval: the text is to see the global scope alone.
    // biome-ignore lint/security/noGlobalEval: see engine-text.ts; the text is part of this very script
    const run = globalThis.eval
    const { BrowserEngine } = run(ENGINE_TEXT) as EngineExports
    engine = new BrowserEngine()
  }
  return engine
}

/** The engine if it is built: what ends must not be what begins it. */
export const engineIfBuilt = (): BrowserEngine | undefined => engine
