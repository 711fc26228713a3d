/**
 * A lesson as data. Checks use results only (cluster, audit trail, watch events), never the
 * learner's input.
 */
import type { JsonObject } from '../engine/core/object'

export interface Lesson {
  /** Part of addresses and workspace names: `lost-update`. */
  id: string
  title: string
  /** At most ten. */
  minutes: number
  /** The skill gained, in one sentence. */
  about: string
  /** `Server-side apply: https://kubernetes.io/docs/…` */
  rules: string
  /** Oldest first; absent for all since 1.31. */
  releases?: readonly string[]
  /** The situation before the first step. */
  story: string
  start: Start
  steps: readonly Step[]
  /** A plausible mistake, which must not finish the lesson; none if all steps are predictions. */
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
  /** The learner predicts a response before the task; without checks, there is no task. */
  predict?: Prediction
  text: string
  /** From a hint to the solution; none without checks. */
  hints: readonly string[]
  /** All must hold at once. */
  checks: readonly Check[]
  /** The reference solution. */
  solution: readonly Move[]
}

/** The response decides which choice is right. */
export interface Prediction {
  question: string
  /** Sent as soon as the learner has chosen. */
  request: Pick<Move, 'as' | 'method' | 'path' | 'body' | 'contentType'>
  /** Exactly one matches the response. */
  choices: readonly Choice[]
  /** Shown with the response. */
  because: string
}

export interface Choice {
  says: string
  /** Required content of the response: `{"code":409,"body":{…}}`. */
  is: JsonObject
}

/** `says` states the expected condition. */
export type Check = { says: string } & (
  | {
      kind: 'object'
      /** Path of the object: `/api/v1/namespaces/shop/configmaps/prices`. */
      path: string
      /** The required content (`isLike`). */
      is: JsonObject
      /** Content the object must not have, such as a removed item. */
      isNot?: JsonObject
    }
  | { kind: 'absent'; path: string }
  | (Probe & {
      kind: 'response'
      /** The required content of the response: `{"code":200,"body":{…}}`. */
      is: JsonObject
    })
  | { kind: 'request'; is: RequestLike }
  | {
      kind: 'event'
      /** The required content of a watch event: `{"type":"ERROR","object":{"code":410}}`. */
      is: JsonObject
    }
)

/** A request that stores nothing: a read, a review, or a dry run. */
export interface Probe {
  /** The user; `admin` if absent. */
  as?: string
  method: Move['method']
  /** As in `Move`. */
  path: string
  /** Sent as JSON. */
  body?: Move['body']
  contentType?: string
}

/** A request since the lesson began; omitted members match anything. */
export interface RequestLike {
  /**
   * Audit verbs: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`.
   */
  verb?: string | readonly string[]
  /** `pods`, `pods/log` */
  resource?: string
  namespace?: string
  name?: string
  user?: string
  /** HTTP status of the response. */
  code?: number
  /** A regular expression for an error's message. */
  message?: string
  /** Regular expressions; `null` means absent. */
  query?: Readonly<Record<string, string | null>>
  /** A regular expression for non-resource paths. */
  path?: string
}

export interface Move {
  /** The user; `admin` if absent. */
  as?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Here and in the body, `{{resourceVersion PATH}}` is the version of the object or list at PATH,
   * `{{continue PATH}}` a list's token.
   */
  path: string
  /** Sent as JSON. */
  body?: JsonObject | readonly JsonObject[]
  contentType?: string
  /** Default: below 300. */
  status?: number
  /** Stays open until the lesson ends; its events count. */
  watch?: boolean
  /** Between filling in the path and sending, another write happens and history is compacted. */
  compact?: boolean
}
