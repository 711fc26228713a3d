import { useEffect, useState } from 'react'
import { isJsonObject, type KubeObject } from '../../../../engine/core/object'
import { FieldName } from '../../../components/FieldName'
import { Icon } from '../../../components/Icon'
import { failureOf } from '../../manifests/failure'
import type { ObjectAddress } from '../../manifests/run'
import { dryRun } from '../dry-runs'
import { initialsOf } from '../looks'
import { CONFLICT_HELP, namesOf, otherChanges, ownedBy, wouldFail } from '../texts'
import { type LiveConflicts, outcomeOf, type WayOutcome } from '../way-outcome'
import { documentAt, type SecondTry } from '../ways-out'
import { Badges, Effects } from './Effects'

interface WayPreviewProps {
  request: ObjectAddress
  /** First line of the document. */
  line: number
  second: SecondTry
  known: LiveConflicts
  manager: string
}

export function WayPreview(props: WayPreviewProps) {
  const preview = usePreview(props)
  if (preview === undefined) return <p className="soft small">{CONFLICT_HELP.trying}</p>
  if ('failure' in preview)
    return (
      <p className="warned">
        <Icon name="warning" size={14} /> {wouldFail(preview.failure)}
      </p>
    )
  return <Outcome outcome={preview} />
}

type Preview = WayOutcome | { failure: string } | undefined

function usePreview({ request, line, second, known, manager }: WayPreviewProps): Preview {
  const [preview, setPreview] = useState<Preview>()
  useEffect(() => {
    let current = true
    const run = async (): Promise<Preview> => {
      const body = JSON.stringify(documentAt(second.text, line))
      const response = await dryRun(request, body, { manager, force: second.force })
      if (!response.ok || !isJsonObject(response.json))
        return { failure: failureOf(response).message }
      return outcomeOf(known, response.json as unknown as KubeObject, manager)
    }
    run().then(
      (outcome) => current && setPreview(outcome),
      (error: unknown) =>
        current && setPreview({ failure: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      current = false
    }
  }, [request, line, second, known, manager])
  return preview
}

function Outcome({ outcome: { fields, rest } }: { outcome: WayOutcome }) {
  const initials = initialsOf(fields.flatMap(({ owners }) => owners.map(({ name }) => name)))
  return (
    <>
      {fields.map(({ field, text, owners }) => (
        <p key={field} className="way-result">
          {fields.length > 1 && <FieldName path={field} />}
          <ins>{text}</ins>
          <span className="hands">
            <span className="visually-hidden">{ownedBy(namesOf(owners))}</span>
            <Badges owners={owners} initials={initials} />
          </span>
        </p>
      ))}
      {rest.length > 0 && (
        <details>
          <summary>{otherChanges(rest.length)}</summary>
          <Effects effects={rest} none="" />
        </details>
      )}
    </>
  )
}
