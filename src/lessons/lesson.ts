/**
 * What a lesson is: a value, written by a teacher, read by the page and by the check that every lesson has to pass. What a learner
 * typed is never looked at: only what came of it, in the cluster, in the audit trail and in the events of watches.
 */
import type { JsonObject } from '../engine/core/object'

export interface Lesson {
  /** Part of addresses and of the workspace's name: `lost-update`. */
  id: string
  title: string
  /** How long it takes; ten at most. */
  minutes: number
  /** What one can do afterwards, in a sentence. */
  about: string
  /** The documentation of what it teaches: `Server-side apply: https://kubernetes.io/docs/…`. */
  rules: string
  /** The releases for which the lesson holds, oldest first: `1.31`. Absent: all from 1.31 on. */
  releases?: readonly string[]
  /** What has happened before the learner comes; paragraphs. */
  story: string
  start: Start
  steps: readonly Step[]
  /** A plausible mistake: sent in place of the solution, it must not finish the lesson. */
  wrong: readonly Move[]
  /** What to try when all is done. */
  after: string
}

export interface Start {
  /** YAML of the objects that are there. */
  objects: string
  /** Files that are open in the editor. */
  files: readonly { title: string; language: 'yaml' | 'typescript'; text: string }[]
}

export interface Step {
  title: string
  /** What is to be reached, not what is to be typed; paragraphs. */
  text: string
  /** From a first hint to the solution. */
  hints: readonly [string, string, string]
  /** All must hold, one time, for the step to be done. */
  checks: readonly Check[]
  /** What the reference solution sends. */
  solution: readonly Move[]
}

/** `says` states the awaited condition, for a learner who is stuck. */
export type Check = { says: string } & (
  | {
      kind: 'object'
      /** Path of the object: `/api/v1/namespaces/shop/configmaps/prices`. */
      path: string
      /** What it has at least (`isLike`). */
      is: JsonObject
      /** What it must not be like: an item that a list no longer has. */
      isNot?: JsonObject
    }
  | { kind: 'absent'; path: string }
  | { kind: 'request'; is: RequestLike }
  | {
      kind: 'event'
      /** What an event of a watch has at least: `{"type":"ERROR","object":{"code":410}}`. */
      is: JsonObject
    }
)

/** A request sent since the lesson started; omitted members match anything. */
export interface RequestLike {
  /** As the audit trail names it: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; or one of several. */
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
  /** Parameters of the query, each a regular expression for its value; `null`: it must not be there. */
  query?: Readonly<Record<string, string | null>>
  /** For paths that name no resource: a regular expression. */
  path?: string
}

/** A request of a solution. */
export interface Move {
  /** Whose; `admin` if left out. */
  as?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * In it and in the body, `{{resourceVersion PATH}}` is replaced by the version of the object or
   * list at PATH, and `{{continue PATH}}` by a list's token.
   */
  path: string
  /** Sent as JSON. */
  body?: JsonObject | readonly JsonObject[]
  contentType?: string
  /** Expected; anything below 300 if left out. */
  status?: number
  /** Left open to the end of the lesson; its events are seen. */
  watch?: boolean
  /**
   * Another write happens and history is compacted, after the path was filled in and before the
   * request is sent.
   */
  compact?: boolean
}
