/**
 * * Creates missing flow control objects, restores their specs and deletes obsolete ones, at most
 * once a minute. https://kubernetes.io/docs/concepts/cluster-administration/flow-control/
 */

import { equalJson, type JsonObject, type KubeObject } from '../core/object'
import { EXEMPT, MANDATORY } from '../flow-control/mandatory'
import type { Engine } from '../registry/engine'
import { changeOwn, createOwn, deleteOwn } from '../registry/server-writes'
import { follow, type Loop } from './controller'

const MINUTE = 60_000
const GROUP = 'flowcontrol.apiserver.k8s.io'
const VERSION = `${GROUP}/v1`
const MANAGER = 'api-priority-and-fairness-config-producer-v1'
/** Opts in or out of restoring the spec; default: until a user changes it. */
const KEPT = 'apf.kubernetes.io/autoupdate-spec'
const PREFIXES = {
  FlowSchema: '/registry/flowschemas/',
  PriorityLevelConfiguration: '/registry/prioritylevelconfigurations/',
}
const KINDS = ['FlowSchema', 'PriorityLevelConfiguration'] as const
type Kind = (typeof KINDS)[number]

function ownObjects(engine: Engine): KubeObject[] {
  const all = (JSON.parse(engine.tables.bootstrapText()) as { object: KubeObject }[]).map(
    ({ object }) => object,
  )
  const own = all.filter(({ apiVersion }) => apiVersion === VERSION)
  const isMandatory = ({ metadata }: KubeObject) => Number(MANDATORY.has(metadata.name ?? ''))
  return own.sort((a, b) => isMandatory(a) - isMandatory(b))
}

export const flowControlConfiguration: Loop = (engine) => {
  if (engine.resources.byKind(GROUP, 'v1', 'FlowSchema') === undefined) return () => {}
  const { clock } = engine
  const begun = clock.now()
  let cancel: (() => void) | undefined
  let stopped = false
  const lookLater = () => {
    if (stopped) return
    cancel ??= clock.after(MINUTE - ((clock.now() - begun) % MINUTE), () => {
      cancel = undefined
      maintain(engine).catch((error: unknown) => {
        engine.log.error('flow schemas and priority levels could not be kept', error)
        lookLater()
      })
    })
  }
  const stops = KINDS.map((kind) => follow(engine, PREFIXES[kind], lookLater))
  return () => {
    stopped = true
    cancel?.()
    for (const stop of stops) stop()
  }
}

async function maintain(engine: Engine): Promise<void> {
  const own = ownObjects(engine)
  for (const wanted of own) {
    const key = PREFIXES[wanted.kind as Kind] + wanted.metadata.name
    const stored = (await engine.storage.get(key))?.object
    if (stored !== undefined) await revise(engine, stored, wanted)
    else await createOwn(engine, fresh(wanted), MANAGER)
  }
  for (const kind of KINDS) {
    const names = new Set(
      own.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name),
    )
    const { items } = await engine.storage.range(PREFIXES[kind])
    const resource = engine.resources.byKind(GROUP, 'v1', kind)
    for (const { object } of items)
      if (
        resource &&
        !names.has(object.metadata.name) &&
        truth(object.metadata.annotations?.[KEPT]) === true
      )
        await deleteOwn(engine, resource, object)
  }
}

const fresh = ({ kind, apiVersion, metadata, spec }: KubeObject): KubeObject => ({
  kind,
  apiVersion,
  metadata: { name: metadata.name ?? '', annotations: { [KEPT]: 'true' } },
  spec: spec ?? {},
})

async function revise(engine: Engine, stored: KubeObject, wanted: KubeObject): Promise<void> {
  const { name = '', annotations, generation } = stored.metadata
  const annotated = truth(annotations?.[KEPT])
  const keeps = MANDATORY.has(name) || (annotated ?? generation === 1)
  const spec = withOwnShares(wanted, stored)
  const specDiffers = keeps && !equalJson(stored.spec, spec)
  if (annotated === keeps && !specDiffers) return
  const change = (draft: KubeObject) => {
    if (specDiffers) draft.spec = spec
    draft.metadata.annotations = { ...draft.metadata.annotations, [KEPT]: String(keeps) }
  }
  await changeOwn(engine, stored, change, MANAGER)
}

/** Administrators may change `exempt` of the exempt level. */
function withOwnShares({ kind, metadata, spec }: KubeObject, stored: KubeObject): JsonObject {
  const given = (spec ?? {}) as JsonObject
  const { exempt } = (stored.spec ?? {}) as JsonObject
  return kind === 'PriorityLevelConfiguration' && metadata.name === EXEMPT && exempt !== undefined
    ? { ...given, exempt }
    : given
}

/** As strconv.ParseBool of Go. */
function truth(text: string | undefined): boolean | undefined {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text ?? '')) return true
  return /^(?:0|f|F|false|FALSE|False)$/.test(text ?? '') ? false : undefined
}
