/**
 * A lesson as a value, which an author writes, and the page and the lesson check read. Checks use
 * only results: the cluster, the audit trail and watch events, never the learner's input.
 */
import type { JsonObject } from '../engine/core/object'

export interface Lesson {
  /** Part of addresses and of the workspace's name: `lost-update`. */
  id: string
  title: string
  /** At most ten. */
  minutes: number
  /** The skill that the learner gains, in one sentence. */
  about: string
  /** The documentation of the rule: `Server-side apply: https://kubernetes.io/docs/…`. */
  rules: string
  /** Oldest first: `1.31`. Absent: all from 1.31 on. */
  releases?: readonly string[]
  /** The situation before the first step, in paragraphs. */
  story: string
  start: Start
  steps: readonly Step[]
  /** A plausible mistake, which must not finish the lesson. */
  wrong: readonly Move[]
  /** A suggestion for afterwards. */
  after: string
}

export interface Start {
  /** The start state, as YAML. */
  objects: string
  /** Files that are open in the editor. */
  files: readonly { title: string; language: 'yaml' | 'typescript'; text: string }[]
}

export interface Step {
  title: string
  /** The goal of the step, not the input; paragraphs. */
  text: string
  /** From a first hint to the solution. */
  hints: readonly [string, string, string]
  /** All must hold at the same time. */
  checks: readonly Check[]
  /** The reference solution. */
  solution: readonly Move[]
}

/** `says` states the expected condition, for a learner who is stuck. */
export type Check = { says: string } & (
  | {
      kind: 'object'
      /** Path of the object: `/api/v1/namespaces/shop/configmaps/prices`. */
      path: string
      /** The required content (`isLike`). */
      is: JsonObject
      /** Content that the object must not have, such as a removed list item. */
      isNot?: JsonObject
    }
  | { kind: 'absent'; path: string }
  | { kind: 'request'; is: RequestLike }
  | {
      kind: 'event'
      /** The required content of a watch event: `{"type":"ERROR","object":{"code":410}}`. */
      is: JsonObject
    }
)

/** A request sent since the lesson started; omitted members match anything. */
export interface RequestLike {
  /**
   * An audit verb, or one of several: `get`, `list`, `watch`, `create`, `update`, `patch`,
   * `delete`, `deletecollection`.
   */
  verb?: string | readonly string[]
  /** `pods`, `pods/log` */
  resource?: string
  namespace?: string
  name?: string
  user?: string
  /** HTTP status of the response. */
  code?: number
  /** A regular expression for the message of an error. */
  message?: string
  /** A regular expression for each query parameter; `null`: the parameter must be absent. */
  query?: Readonly<Record<string, string | null>>
  /** A regular expression for non-resource paths. */
  path?: string
}

export interface Move {
  /** The user; `admin` if absent. */
  as?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Here and in the body, `{{resourceVersion PATH}}` is replaced by the version of the object or
   * list at PATH, and `{{continue PATH}}` by the token of a list.
   */
  path: string
  /** Sent as JSON. */
  body?: JsonObject | readonly JsonObject[]
  contentType?: string
  /** The expected status; below 300 if absent. */
  status?: number
  /** The watch stays open until the end of the lesson, and its events count. */
  watch?: boolean
  /**
   * After the path is filled in and before the request is sent, another write happens and the
   * history is compacted.
   */
  compact?: boolean
}
