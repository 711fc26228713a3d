/** What a check finds: values that every output format prints. */
import type { Manifest, Unreadable } from '../manifests/read'

export type Level = 'error' | 'warning'

export interface Finding {
  level: Level
  /** A name of the rule, stable between runs: `Invalid`, `Deprecated`, `AccessLost`. */
  rule: Rule
  /** `Deployment shop/web`; empty for a file without manifests. */
  object: string
  message: string
  /** Absent for an object of the cluster, which no file has. */
  file?: string
  /** 1-based. */
  line?: number | undefined
}

/** The rules, with a sentence for formats that list them. */
export const RULES = {
  Unreadable: 'The file is not YAML or JSON with API objects.',
  NotServed: 'The release does not serve the API version of the object.',
  Invalid: 'Validation rejects the object.',
  Malformed: 'The object does not decode as its kind: an unknown field or a value of another type.',
  Forbidden: 'Admission control or authorization rejects the object.',
  PodRejected: 'Validation or admission rejects the pods of the object.',
  Rejected: 'The API server rejects the object for another reason.',
  Defined: 'Two manifests define the same object.',
  Warned: 'The API server warns of something in the object.',
  Deprecated: 'The API version or a field of the object is deprecated.',
  UpdateRejected: 'After the change, the cluster rejects an update of an object that it has.',
  CreateRejected: 'After the change, the cluster rejects a new object like one that it has.',
  AccessLost: 'A subject loses permissions.',
  AccessGained: 'A subject gains permissions.',
} as const

export type Rule = keyof typeof RULES

export interface Checked {
  release: string
  manifests: readonly Manifest[]
  unreadable: readonly Unreadable[]
  /** Objects of the cluster file; 0 without one. */
  clusterObjects: number
  /** Webhook configurations among them, which no check calls. */
  webhooks: number
  findings: readonly Finding[]
}

export function countsOf(findings: readonly Finding[]): { errors: number; warnings: number } {
  const errors = findings.filter(({ level }) => level === 'error').length
  return { errors, warnings: findings.length - errors }
}
