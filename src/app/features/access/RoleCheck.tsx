/** Which requests draft roles would deny, and which rules grant more than they seem to. */
import { useEffect, useState } from 'react'
import type {
  EscalationRisk,
  PolicyRule,
  QueryAttributes,
  StillDenied,
} from '../../../hosts/shared/access'
import type { AuditEvent } from '../../../hosts/shared/channel'
import { useConnection } from '../../state/connection'
import { RuleText } from './RuleText'
import { rolesIn, type WrittenRole } from './role-manifest'
import type { Recorded } from './series'
import { CHECK, checkFailed, NEAREST, RISKS, stillDenied } from './texts'
import { WarningList } from './Warnings'

interface RoleCheckProps {
  text: string
  recorded: readonly Recorded[]
  requests: readonly QueryAttributes[]
  events: readonly AuditEvent[]
}

interface Checked {
  denied: StillDenied[]
  warnings: EscalationRisk[]
}

const SETTLE_MILLISECONDS = 200

export function RoleCheck({ text, recorded, requests, events }: RoleCheckProps) {
  const [checked, setChecked] = useState<Checked>()
  const [problem, setProblem] = useState<string>()
  const question = JSON.stringify([text, requests, events])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query depends on these parts, which are new objects at every render
  useEffect(() => {
    let over = false
    const timer = setTimeout(() => {
      check(text, requests, events).then(
        (found) => {
          if (over) return
          setChecked(found)
          setProblem(undefined)
        },
        (error: unknown) =>
          over || setProblem(error instanceof Error ? error.message : String(error)),
      )
    }, SETTLE_MILLISECONDS)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [question])
  if (problem !== undefined) return <p className="note bad">{checkFailed(problem)}</p>
  if (checked === undefined) return null
  const { denied, warnings } = checked
  return (
    <>
      <section className="part" aria-label={CHECK.region} aria-live="polite">
        <h3>{denied.length === 0 ? `✓ ${CHECK.allAllowed}` : `✕ ${stillDenied(denied.length)}`}</h3>
        {denied.map(({ index, rule, lacks }) => (
          <div key={index}>
            <p className="mono wrap">{recorded[index]?.text}</p>
            {rule !== undefined && lacks !== undefined && (
              <>
                <p className="soft small">{NEAREST[lacks]}</p>
                <RuleText rule={rule as PolicyRule} lacks={lacks} />
              </>
            )}
          </div>
        ))}
      </section>
      {warnings.length > 0 && (
        <section className="part" aria-label={RISKS.title}>
          <h3>{RISKS.title}</h3>
          <WarningList warnings={warnings} />
        </section>
      )}
    </>
  )
}

async function check(
  text: string,
  requests: readonly QueryAttributes[],
  events: readonly AuditEvent[],
): Promise<Checked> {
  const { connection } = useConnection.getState()
  if (connection === undefined) throw new Error(CHECK.notStarted)
  const { channel } = connection
  const roles: WrittenRole[] = rolesIn(text)
  if (roles.length === 0) throw new Error(CHECK.noRole)
  const results = await Promise.all(
    roles.map(({ rules, namespace }) =>
      channel.request('accessStillDenied', {
        rules,
        namespace,
        requests: [...requests],
        events: [...events],
      }),
    ),
  )
  const [first = [], ...others] = results
  const denied = first
    .filter(({ index }) => others.every((result) => result.some((one) => one.index === index)))
    .map(
      (one) =>
        [one, ...others.map((result) => result.find(({ index }) => index === one.index))].find(
          (two) => two?.rule,
        ) ?? one,
    )
  const warnings = await Promise.all(
    roles.map(({ rules }) => channel.request('accessWarnings', { rules })),
  )
  return { denied, warnings: warnings.flat() }
}
