import type { KubeObject } from '../../../engine/core/object'
import { useActors } from '../../state/actors'
import { clusterNow } from '../../state/clock'
import type { LoggedRequest } from '../../state/logged-request'
import { requestLog } from '../../state/requests'
import { useView } from '../../state/view'
import { type EditorTab, useEditors } from '../manifests/editors'
import { sharedAccess } from './access'
import { type Circumstances, circumstances, exportObjects, objectsAt } from './cluster'
import { withoutDerived } from './derived'
import {
  recorded,
  revisionBefore,
  sharedActors,
  sharedClock,
  sharedFile,
  sharedHandlers,
  sharedSettings,
  withoutVersions,
} from './gather'
import type { RecordedRequest, Scenario, SharedView } from './scenario'
import { withoutSecretTexts, withoutSecretValues } from './secrets'
import { SHARE } from './texts'

export interface Holdings {
  now: KubeObject[]
  /** Before the first write of the requests, or why that state is unavailable. */
  before: { objects: KubeObject[] } | { missing: string }
  files: EditorTab[]
  requests: RecordedRequest[]
  circumstances: Circumstances
}

export interface Choice {
  start: 'now' | 'before'
  /** Includes objects that controllers and nodes create. */
  everything: boolean
  requests: boolean
  files: boolean
  view: boolean
  handlers: boolean
  access: boolean
  values: boolean
  from: string
  /** Seed of generated names, equal for all recipients; used with `before`. */
  seed: number
}

/** @throws Error if there is no server, or it cannot read its store */
export async function holdings(): Promise<Holdings> {
  const log = requestLog()
  const [now, around] = await Promise.all([exportObjects(), circumstances()])
  return {
    now,
    before: await stateBefore(log, around),
    files: useEditors.getState().tabs.filter(({ text }) => text.trim() !== ''),
    requests: recorded(log),
    circumstances: around,
  }
}

async function stateBefore(
  log: readonly LoggedRequest[],
  { changes }: Circumstances,
): Promise<Holdings['before']> {
  const revision = revisionBefore(log, changes)
  if (revision === undefined) return { missing: SHARE.nothingChanged }
  return objectsAt(revision).then(
    (objects) => ({ objects }),
    () => ({ missing: SHARE.compacted }),
  )
}

/** Omits objects that controllers recreate. */
export function firstChoice(
  { circumstances: { settings, clock } }: Holdings,
  from: string,
): Choice {
  const still = clock.rate === 0 || !settings.scheduler || settings.controllers.join() !== '*'
  const [seed = 1] = crypto.getRandomValues(new Uint32Array(1))
  return {
    start: 'now',
    everything: still,
    requests: true,
    files: true,
    view: true,
    handlers: true,
    access: true,
    values: false,
    from,
    seed: seed || 1,
  }
}

export function scenarioFrom(holdings: Holdings, choice: Choice): Scenario {
  const { start, everything, values, from, seed } = choice
  const { settings, clock } = holdings.circumstances
  const begun =
    start === 'before' && 'objects' in holdings.before ? holdings.before.objects : holdings.now
  const objects = everything ? begun : withoutDerived(begun)
  const files = choice.files ? holdings.files : []
  const { actors, actor, fieldManager } = useActors.getState()
  const shared = {
    from: from.trim(),
    requests: choice.requests ? holdings.requests : [],
    view: choice.view ? viewOf(files) : undefined,
    clock: sharedClock({ ...clock, time: clusterNow() }, Date.now()),
    handlers: choice.handlers ? sharedHandlers(settings) : [],
    access: choice.access ? sharedAccess(settings.access) : undefined,
    settings: sharedSettings(settings, settings.seed ?? (start === 'before' ? seed : undefined)),
    actors: sharedActors(actors, actor, fieldManager),
  }
  const isSet = (part: unknown) =>
    part !== undefined && part !== '' && !(Array.isArray(part) && part.length === 0)
  const parts = Object.entries(shared).filter(([, part]) => isSet(part))
  return {
    objects: withoutVersions(values ? objects : withoutSecretValues(objects)),
    tabs: (values ? files : withoutSecretTexts(files)).map(sharedFile),
    ...(Object.fromEntries(parts) as Omit<Scenario, 'objects' | 'tabs'>),
  }
}

function viewOf(files: readonly EditorTab[]): SharedView {
  const { place, activity, pane, objectTab, namespace, selected } = useView.getState()
  const file = files.findIndex(({ id }) => id === useEditors.getState().active)
  return {
    place,
    activity,
    pane,
    objectTab,
    namespace,
    ...(file > 0 ? { file } : {}),
    ...(selected && {
      selected: {
        group: selected.resource.group,
        version: selected.resource.version,
        resource: selected.resource.resource,
        namespace: selected.namespace,
        name: selected.name,
      },
    }),
  }
}

export const linkTo = (hash: string): string => `${location.origin}${location.pathname}#${hash}`
