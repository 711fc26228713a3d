/** What the code of pure layers may not use, as data for scripts/check-imports.ts. */

/** Globals that a pure layer may not use, with the reason. */
export const IMPURE_GLOBALS: Record<string, string> = {
  setTimeout: 'time passes only by the clock of engine/core/environment.ts',
  setInterval: 'time passes only by the clock of engine/core/environment.ts',
  setImmediate: 'time passes only by the clock of engine/core/environment.ts',
  requestAnimationFrame: 'time passes only by the clock of engine/core/environment.ts',
  performance: 'time is read only from the clock of engine/core/environment.ts',
  process: 'the engine knows no Node',
  Buffer: 'the engine knows no Node',
  require: 'the engine knows no Node',
  __dirname: 'the engine knows no Node',
  window: 'the engine knows no page',
  document: 'the engine knows no page',
  navigator: 'the engine knows no browser',
  location: 'the engine knows no page',
  self: 'the engine knows no worker',
  localStorage: 'storage comes in as an option',
  sessionStorage: 'storage comes in as an option',
  indexedDB: 'storage comes in as an option',
  console: 'reports go through the log of engine/core/environment.ts',
}

export const IMPURE_MEMBERS: Record<string, string> = {
  'Date.now': 'time is read only from the clock of engine/core/environment.ts',
  'Math.random': 'randomness comes only from engine/core/environment.ts',
  'crypto.getRandomValues': 'randomness comes only from engine/core/environment.ts',
  'crypto.randomUUID': 'randomness comes only from engine/core/environment.ts',
}

/**
 * Files of the engine that may create a WeakMap, with the reason. Others memoize pure functions with
 * `memoizeByIdentity`, or keep their state in a field (docs/decisions/0034).
 */
export const WEAK_MAPS: Readonly<Record<string, string>> = {
  'engine/core/identity-memo.ts': 'the memo itself',
  'engine/apply/managed-fields.ts': 'memos in both directions: a decoded entry encodes to itself',
  'engine/apply/ownership.ts': 'the last type that a field set is known to fit',
  'engine/extensions/custom-resource.ts': 'a memo whose results are their own results',
  'engine/extensions/conversion/versions.ts': 'responses of conversion webhooks, by object',
  'engine/server/policy-environment.ts': 'responses of conversion webhooks, by draft',
}
