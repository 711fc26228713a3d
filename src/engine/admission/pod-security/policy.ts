/**
 * Reads the Pod Security levels from the labels of a namespace. kubernetes.io, "Pod Security
 * Admission labels for namespaces".
 */
import type { FieldError } from '../../http/status'
import { invalidValue } from '../../validation/field-errors'

export const LEVELS = ['privileged', 'baseline', 'restricted'] as const
export type Level = (typeof LEVELS)[number]

export interface LevelVersion {
  level: Level
  /** Minor number of a release. */
  version: number | 'latest'
}

export interface Policy {
  enforce: LevelVersion
  audit: LevelVersion
  warn: LevelVersion
}

type Mode = keyof Policy

const PREFIX = 'pod-security.kubernetes.io/'

export const isStricter = (a: Level, b: Level): boolean => LEVELS.indexOf(a) > LEVELS.indexOf(b)

/** `baseline:latest`, `restricted:v1.31` */
export function levelText({ level, version }: LevelVersion): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`
}

const PRIVILEGED: LevelVersion = { level: 'privileged', version: 'latest' }
export const PRIVILEGED_POLICY: Policy = {
  enforce: PRIVILEGED,
  audit: PRIVILEGED,
  warn: PRIVILEGED,
}

function hasLabels(labels: Record<string, string>): boolean {
  for (const name in labels) if (name.startsWith(PREFIX)) return true
  return false
}

/**
 * An invalid level enforces the strictest without warnings and audit; an invalid version means the
 * latest. Without its own label, warn follows a stricter enforce level.
 */
export function policyOf(
  labels: Record<string, string> = {},
  defaults: Policy = PRIVILEGED_POLICY,
): { policy: Policy; errors: FieldError[] } {
  if (!hasLabels(labels)) return { policy: defaults, errors: [] }
  const errors: FieldError[] = []
  const policy: Policy = {
    enforce: { ...defaults.enforce },
    audit: { ...defaults.audit },
    warn: { ...defaults.warn },
  }
  const read = (mode: Mode, whenWrong: Level): void => {
    const level = labels[`${PREFIX}${mode}`]
    const version = labels[`${PREFIX}${mode}-version`]
    if (level !== undefined) {
      const known = LEVELS.find((name) => name === level)
      policy[mode].level = known ?? whenWrong
      if (known === undefined)
        errors.push(wrong(mode, level, `must be one of ${LEVELS.join(', ')}`))
    }
    if (version !== undefined) {
      const minor = /^v1\.(0|[1-9]\d*)$/.exec(version)?.[1]
      if (minor !== undefined) policy[mode].version = Number(minor)
      else if (version !== 'latest')
        errors.push(wrong(`${mode}-version`, version, 'must be "latest" or "v1.x"'))
    }
  }
  read('enforce', 'restricted')
  const enforceIsValid =
    errors.every(({ field }) => !field.endsWith('enforce]')) &&
    labels[`${PREFIX}enforce`] !== undefined
  read('audit', 'privileged')
  read('warn', 'privileged')
  if (
    labels[`${PREFIX}warn`] === undefined &&
    enforceIsValid &&
    isStricter(policy.enforce.level, policy.warn.level)
  ) {
    policy.warn.level = policy.enforce.level
    if (labels[`${PREFIX}warn-version`] === undefined) policy.warn.version = policy.enforce.version
  }
  return { policy, errors }
}

const wrong = (label: string, value: string, why: string): FieldError =>
  invalidValue(`metadata.labels[${PREFIX}${label}]`, value, why)
