import { BASELINE_CHECKS } from './baseline-checks'
import type { Check, CheckedPod, Finding } from './check'
import type { LevelVersion } from './policy'
import { RESTRICTED_CHECKS } from './restricted-checks'

type Run = Check['versions'][number]['run']

/** By `level:version`. */
const plans = new Map<string, Run[]>()

export function findingsOf(pod: CheckedPod, wanted: LevelVersion): Finding[] {
  return planFor(wanted).flatMap((run) => run(pod) ?? [])
}

function planFor({ level, version }: LevelVersion): Run[] {
  if (level === 'privileged') return []
  const key = `${level}:${version}`
  const known = plans.get(key)
  if (known) return known
  const minor = version === 'latest' ? Number.POSITIVE_INFINITY : version
  const applicable = (checks: readonly Check[]) =>
    checks.flatMap((check) => {
      const found = check.versions.findLast(({ since }) => since <= minor)
      return found === undefined ? [] : [{ check, run: found.run }]
    })
  const hardening = level === 'restricted' ? applicable(RESTRICTED_CHECKS) : []
  const replaced = new Set(hardening.map(({ check }) => check.replaces))
  const plan = [
    ...applicable(BASELINE_CHECKS).filter(({ check }) => !replaced.has(check.id)),
    ...hardening,
  ].map(({ run }) => run)
  plans.set(key, plan)
  return plan
}

/** `privileged, host namespaces` */
export const reasonsText = (findings: Finding[]): string =>
  findings.map(({ reason }) => reason).join(', ')
/** `privileged (container "a" must not …), host namespaces (hostNetwork=true)` */
export const detailsText = (findings: Finding[]): string =>
  findings.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
