import type { KubeObject } from '../../../engine/core/object'
import type { Change, ClockState } from '../../../hosts/shared/channel'
import { type EngineSettings, FIRST_SETTINGS } from '../../../hosts/shared/engine-settings'
import type { Actor } from '../../state/actors'
import type { LoggedRequest } from '../../state/logged-request'
import { targetOf } from '../../state/request-target'
import type { EditorTab } from '../manifests/editors'
import type {
  RecordedRequest,
  Scenario,
  SharedFile,
  SharedHandler,
  SharedSettings,
} from './scenario'

export const sharedFile = ({
  title,
  language,
  text,
  manager,
}: Omit<EditorTab, 'id'>): SharedFile => ({
  title,
  language,
  text,
  ...(manager ? { manager } : {}),
})

/** Finished requests of users and scripts, without streams. */
export function recorded(log: readonly LoggedRequest[]): RecordedRequest[] {
  return log.flatMap((entry) => {
    const { origin, method, path, status, who, body, headers } = entry
    const known = METHODS.find((one) => one === method)
    if (origin === 'page' || status === undefined || known === undefined || isStream(path))
      return []
    const given = (name: string) =>
      Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
    const contentType = body === undefined ? undefined : given('content-type')
    const accept = given('accept')
    return [
      {
        method: known,
        path,
        who,
        status,
        ...(body === undefined ? {} : { body }),
        ...(contentType === undefined || contentType === JSON_TYPE ? {} : { contentType }),
        ...(accept === undefined || accept === JSON_TYPE || accept === '*/*' ? {} : { accept }),
      },
    ]
  })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const JSON_TYPE = 'application/json'

const queryOf = (path: string): URLSearchParams => new URLSearchParams(path.split('?')[1] ?? '')
const isStream = (path: string): boolean =>
  ['1', 'true'].includes(queryOf(path).get('watch') ?? '') || queryOf(path).has('follow')

/**
 * @param changes oldest first; not every DELETE response has its revision
 * @returns undefined if none of the requests wrote, or none has a revision
 */
export function revisionBefore(
  log: readonly LoggedRequest[],
  changes: readonly Change[],
): number | undefined {
  for (const { origin, method, path, status = 0, response } of log) {
    if (origin === 'page' || method === 'GET' || status >= 300 || queryOf(path).has('dryRun'))
      continue
    const own = revisionIn(response)
    // Only the creating request can have changed an object that is still as created.
    const isAsMade = changes.some(({ type, revision }) => type === 'ADDED' && revision === own)
    if (isAsMade && status !== 201 && method !== 'DELETE') continue
    if (own !== undefined) return own - 1
    const target = targetOf(path)
    const deleted = changes.findLast(
      ({ type, name, namespace }) =>
        type === 'DELETED' && name === target?.name && namespace === (target.namespace ?? ''),
    )
    if (deleted) return deleted.revision - 1
  }
  return undefined
}

function revisionIn(response: string | undefined): number | undefined {
  try {
    const { kind, metadata } = JSON.parse(response ?? '') as {
      kind?: string
      metadata?: { resourceVersion?: string }
    }
    const revision = Number(metadata?.resourceVersion)
    return kind !== 'Status' && revision > 0 ? revision : undefined
  } catch {
    return undefined
  }
}

/** The importing cluster assigns new resourceVersions. */
export const withoutVersions = (objects: readonly KubeObject[]): KubeObject[] =>
  objects.map((object) => {
    const { resourceVersion: _version, ...metadata } = object.metadata
    return { ...object, metadata }
  })

export const sharedHandlers = ({ handlers }: EngineSettings): SharedHandler[] =>
  handlers.map(({ name, address, source }) => ({ name, address, source }))

/** Settings that differ from the defaults, except access and code. */
export function sharedSettings(settings: EngineSettings, seed: number | undefined): SharedSettings {
  const names = ['controllers', 'scheduler', 'nodes', 'historyMinutes'] as const
  const changed = names.filter(
    (name) => JSON.stringify(settings[name]) !== JSON.stringify(FIRST_SETTINGS[name]),
  )
  return {
    release: settings.release,
    ...(Object.fromEntries(changed.map((name) => [name, settings[name]])) as SharedSettings),
    ...(seed === undefined ? {} : { seed }),
  }
}

/** A clock this close to the real time counts as unchanged. */
const REAL_MILLISECONDS = 5000

export function sharedClock(
  { time, rate }: Pick<ClockState, 'time' | 'rate'>,
  now: number,
): Scenario['clock'] {
  return rate === 1 && Math.abs(time - now) < REAL_MILLISECONDS
    ? undefined
    : { time: Math.round(time), rate }
}

/**
 * Without credentials: the recipient impersonates them. @param actors the first one is the default
 */
export function sharedActors(
  actors: readonly Actor[],
  acting: Actor,
  fieldManager: string,
): Scenario['actors'] {
  const added = actors
    .filter(({ from }) => from !== undefined)
    .map(({ name, groups }) => ({ name, groups }))
  if (added.length === 0 && fieldManager === '' && acting.name === actors[0]?.name) return undefined
  return { acting: acting.name, fieldManager, added }
}
