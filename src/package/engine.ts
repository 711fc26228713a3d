/** Creates the engine with the clock, randomness and in-memory store of this process. */
import { type Clock, seededRandom } from '../engine/core/environment'
import { createApiServer as createEngine, type ApiServer as Engine } from '../engine/server/server'
import type { Storage } from '../engine/storage/storage'
import { requestTimers } from './time'
import type { ServerOptions } from './types'

export interface Surroundings {
  clock: Clock
  storage: Storage
  working?(working: boolean): void
}

/** @throws OptionError for invalid options */
export function engineOf(
  options: ServerOptions,
  { clock, storage, working }: Surroundings,
): Engine {
  const {
    release,
    emulatedVersion,
    minCompatibilityVersion,
    tokens,
    authorizationModes,
    enableAdmissionPlugins,
    disableAdmissionPlugins,
    featureGates,
    runtimeConfig,
  } = options
  const { controllers, scheduler, nodes, seed = 1, onError } = options
  return createEngine({
    clock,
    timers: requestTimers,
    storage,
    random: seededRandom(seed),
    log: { error: (message, cause) => onError?.(message, cause) },
    ...(working ? { working } : {}),
    ...(release === undefined ? {} : { release }),
    ...(emulatedVersion === undefined ? {} : { emulatedVersion: [emulatedVersion] }),
    ...(minCompatibilityVersion === undefined
      ? {}
      : { minCompatibilityVersion: [minCompatibilityVersion] }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(authorizationModes === undefined
      ? {}
      : { authorization: { modes: [...authorizationModes] } }),
    ...(enableAdmissionPlugins === undefined ? {} : { enableAdmissionPlugins }),
    ...(disableAdmissionPlugins === undefined ? {} : { disableAdmissionPlugins }),
    ...(featureGates === undefined ? {} : { featureGates }),
    ...(runtimeConfig === undefined ? {} : { runtimeConfig }),
    ...(controllers === undefined ? {} : { controllers }),
    ...(scheduler === undefined ? {} : { scheduler }),
    ...(nodes === undefined ? {} : { nodes }),
  })
}
