import { CONTROLLER_NAMES } from '../../../engine/controllers/names'
import type { KubeObject } from '../../../engine/core/object'
import { ALL_RELEASES } from '../../../engine/releases/release'
import { MOST_NESTED, nestsDeeper } from '../../../engine/schema/nesting'
import {
  list,
  maybe,
  number,
  oneOf,
  record,
  type Shape,
  ShapeError,
  text,
  truth,
  type ValueOf,
  whole,
} from './shapes'
import { DAMAGED } from './texts'

const NAME = text(300)
const LONG_TEXT = text(8 << 20)

/** Limited by the server's request size; the server validates the contents. */
const object: Shape<KubeObject> = (value, at) => {
  record({
    apiVersion: NAME,
    kind: NAME,
    metadata: record({ name: NAME, namespace: maybe(NAME) }),
  })(value, at)
  if (nestsDeeper(value, MOST_NESTED)) throw new ShapeError(DAMAGED.tooDeep(at))
  return value as KubeObject
}

const file = record({
  title: NAME,
  language: oneOf(['yaml', 'typescript']),
  text: LONG_TEXT,
  manager: maybe(text(128)),
})

const request = record({
  method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: text(8192),
  body: maybe(LONG_TEXT),
  contentType: maybe(NAME),
  accept: maybe(NAME),
  who: NAME,
  status: whole(100, 599),
})

const view = record({
  place: NAME,
  activity: NAME,
  pane: NAME,
  objectTab: NAME,
  namespace: text(63),
  file: maybe(whole(0, 10_000)),
  selected: maybe(
    record({ group: text(253), version: NAME, resource: NAME, namespace: text(63), name: NAME }),
  ),
})

/** Without access and code, which have their own members. */
const settings = record({
  release: maybe(oneOf(ALL_RELEASES)),
  controllers: maybe(
    list(oneOf(['*', ...CONTROLLER_NAMES, ...CONTROLLER_NAMES.map((name) => `-${name}`)]), 100),
  ),
  scheduler: maybe(truth),
  nodes: maybe(whole(0, 1000)),
  historyMinutes: maybe(number(0, 1e6)),
  seed: maybe(whole(1, 2 ** 32 - 1)),
})

/** The source of a webhook or server, not its compiled code. */
const handler = record({ name: NAME, address: text(8192), source: LONG_TEXT })

const access = record({
  modes: maybe(NAME),
  configuration: maybe(LONG_TEXT),
  policy: maybe(LONG_TEXT),
  /** The authorization webhook's kubeconfig. */
  webhook: maybe(LONG_TEXT),
  authentication: maybe(LONG_TEXT),
  keySets: maybe(list(record({ issuer: text(8192), keys: LONG_TEXT }), 1000)),
  anonymous: maybe(truth),
})

const scenario = record({
  objects: list(object, 100_000),
  tabs: list(file, 500),
  /** The sender's name, unverified. */
  from: maybe(text(80)),
  requests: maybe(list(request, 1000)),
  view: maybe(view),
  /** Absent: real time. */
  clock: maybe(record({ time: number(0, 8.64e15), rate: number(0, 1e6) })),
  settings: maybe(settings),
  handlers: maybe(list(handler, 1000)),
  access: maybe(access),
  actors: maybe(
    record({
      acting: NAME,
      fieldManager: text(128),
      added: list(record({ name: NAME, groups: list(NAME, 100) }), 200),
    }),
  ),
})

export type Scenario = ValueOf<typeof scenario>
export type SharedFile = ValueOf<typeof file>
export type RecordedRequest = ValueOf<typeof request>
export type SharedView = ValueOf<typeof view>
export type SharedHandler = ValueOf<typeof handler>
export type SharedAccess = ValueOf<typeof access>
export type SharedSettings = ValueOf<typeof settings>

/** @throws ShapeError naming the invalid member */
export function scenarioOf(value: unknown): Scenario {
  const { actors, ...taken } = scenario(value, '')
  const names = [
    ...(actors?.added ?? []).map(({ name }) => name),
    ...(actors?.added ?? []).flatMap(({ groups }) => groups),
  ]
  // They become values of request headers.
  for (const name of names)
    if (!/^[\x20-\x7e]*$/.test(name) || name.includes(','))
      throw new ShapeError(DAMAGED.reserved(name))
  return actors === undefined ? taken : { ...taken, actors }
}
