/** A conflict explained: whose the fields are, and each way out with what would come of it, a click away. */
import './effects.css'
import { useEffect, useMemo, useState } from 'react'
import { SERVER_SIDE_MANAGER } from '../../../../console/managers'
import {
  entryOf,
  equalJson,
  isJsonObject,
  type Json,
  type KubeObject,
} from '../../../../engine/core/object'
import { FieldName } from '../../../components/FieldName'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { get } from '../../../state/client'
import { pathOf } from '../../../state/discovery'
import { selectObject, useView } from '../../../state/view'
import { Explain } from '../../explain/Explain'
import { parseManifest } from '../../manifests/documents'
import { useEditors } from '../../manifests/editors'
import { failureOf } from '../../manifests/failure'
import { managerOf, useResults } from '../../manifests/results'
import type { ObjectAddress, Result } from '../../manifests/run'
import { dryRun } from '../dry-runs'
import { type ConflictField, conflictsOf, effectsOf, type FieldEffect } from '../effects'
import { pathText, valueOn } from '../field-paths'
import { initialsOf } from '../looks'
import { claimsOf, isApplier, type Owner } from '../owners'
import { valueTexts } from '../value-text'
import { type SecondTry, secondTry, type WayOut } from '../ways-out'
import { namesOf, othersThan } from '../words'
import { Conflicts } from './Conflicts'
import { Badges, Effects } from './Effects'

interface Known {
  live: KubeObject
  conflicts: ConflictField[]
}

export default function ConflictHelp({ result }: { result: Result }) {
  const text = useResults((state) => state.text)
  const tab = useResults((state) => state.tab)
  const manager = managerOf(tab) || SERVER_SIDE_MANAGER
  const [known, setKnown] = useState<Known | { failure: string }>()
  const { address: request, causes, line } = result
  useEffect(() => {
    if (request === undefined) return
    let current = true
    get<KubeObject>(pathOf(request.resource, request.namespace, request.name)).then(
      (live) =>
        current && setKnown({ live, conflicts: conflictsOf(causes, documentAt(text, line), live) }),
      (error: unknown) =>
        current && setKnown({ failure: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      current = false
    }
  }, [request, causes, text, line])
  if (known === undefined || request === undefined)
    return <p className="soft">Looking up the owners …</p>
  if ('failure' in known)
    return <p className="note bad">The live object could not be read: {known.failure}</p>
  return (
    <div className="conflict-help">
      <Conflicts conflicts={known.conflicts} manager={manager} request={request} />
      <Stale />
      <Ways result={result} request={request} known={known} text={text} manager={manager} />
      <p className="soft small">
        Outcomes come from a server{' '}
        <Explain word="query" name="dryRun">
          dry run
        </Explain>
        . What is a{' '}
        <Explain word="cause" name="FieldManagerConflict">
          conflict
        </Explain>
        , and what does{' '}
        <Explain word="query" name="force">
          force
        </Explain>{' '}
        do?{' '}
        <button type="button" className="link" onClick={() => showOwners(request)}>
          See who owns the rest of {request.name}
        </button>
      </p>
    </div>
  )
}

function documentAt(text: string, line: number): Json {
  return parseManifest(text).documents.find((document) => document.line === line)?.value ?? {}
}

function showOwners(request: ObjectAddress): void {
  useView.getState().set({ objectTab: 'ownership' })
  selectObject(request)
}

/** The file is not what was sent: the ways out would undo what was typed since. */
function useStale(): boolean {
  const tab = useResults((state) => state.tab)
  const text = useResults((state) => state.text)
  return useEditors(({ tabs }) => tabs.find(({ id }) => id === tab)?.text !== text)
}

function Stale() {
  const tab = useResults((state) => state.tab)
  const action = useResults((state) => state.action)
  const running = useResults((state) => state.running)
  const run = useResults((state) => state.run)
  const title = useEditors(({ tabs }) => tabs.find(({ id }) => id === tab)?.title)
  if (!useStale()) return null
  if (title === undefined)
    return (
      <p className="note">The file was closed: open it and send it again to use these options.</p>
    )
  return (
    <p className="note">
      {title} was changed since.{' '}
      <button
        type="button"
        className="link"
        disabled={running}
        onClick={() => void run(action, tab)}
      >
        Send it again
      </button>{' '}
      to use these options.
    </p>
  )
}

interface WaysProps {
  result: Result
  request: ObjectAddress
  known: Known
  text: string
  manager: string
}

const CHOICES = [
  { value: 'leave', title: 'leave' },
  { value: 'share', title: 'share' },
  { value: 'force', title: 'force' },
] as const

function Ways({ known, manager, ...rest }: WaysProps) {
  const { conflicts } = known
  const [chosen, setChosen] = useState<Record<string, WayOut>>({})
  const owners = conflicts.flatMap(({ owners }) => owners)
  const inTheWay = othersThan(manager, owners)
  const others = namesOf(inTheWay)
  const several = new Set(inTheWay.map(({ name }) => name)).size > 1
  const shared = owners.some((owner) => isApplier(owner, manager))
  const fields = conflicts.length === 1 ? 'the field' : 'the fields'
  const ways: {
    title: string
    text: string
    wayOf: (field: string) => WayOut
    danger?: boolean
  }[] = [
    {
      title: `Leave ${fields} to ${others}`,
      text: `Removes ${fields} from your manifest${shared ? '; you relinquish your share' : ''}.`,
      wayOf: () => 'leave',
    },
    {
      title: 'Adopt the live value',
      text: `Puts the live value into your manifest: you own ${fields} together.`,
      wayOf: () => 'share',
    },
    {
      title: 'Force',
      text: `Overrides the value: ${others} ${several ? 'lose' : 'loses'} ownership of ${fields}.`,
      wayOf: () => 'force',
      danger: true,
    },
  ]
  if (conflicts.length > 1)
    ways.push({
      title: 'Apply choices',
      text: 'Decide per field:',
      wayOf: (field) => entryOf(chosen, field) ?? 'leave',
    })
  return (
    <div className="ways-out">
      {ways.map(({ title, text, wayOf, danger = false }, index) => (
        <Way
          key={title}
          {...rest}
          known={known}
          manager={manager}
          title={title}
          wayOf={wayOf}
          danger={danger}
        >
          <p className="soft small">{text}</p>
          {index === 3 &&
            conflicts.map(({ field }) => (
              <div key={field} className="way-choice">
                <FieldName path={field} />
                <Segments
                  label={`What to do about ${field}`}
                  value={entryOf(chosen, field) ?? 'leave'}
                  choices={CHOICES}
                  onChoose={(way) => setChosen({ ...chosen, [field]: way })}
                />
              </div>
            ))}
        </Way>
      ))}
    </div>
  )
}

interface WayProps extends Omit<WaysProps, 'text'> {
  title: string
  wayOf(field: string): WayOut
  danger: boolean
  children: React.ReactNode
}

function Way({ result, request, known, manager, title, wayOf, danger, children }: WayProps) {
  const running = useResults((state) => state.running)
  const settle = useResults((state) => state.settle)
  const text = useResults((state) => state.text)
  const stale = useStale()
  const choices = known.conflicts.map(({ field }) => wayOf(field)).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function depends on these choices
  const second = useMemo(
    () => secondTry(text, result.line, known.conflicts, wayOf),
    [text, result.line, known, choices],
  )
  const preview = usePreview(request, result.line, second, known, manager)
  return (
    <section className="way-out" aria-label={title}>
      <button
        type="button"
        className={`button small ${danger ? 'danger' : ''}`}
        disabled={running || stale}
        onClick={() => void settle(result, second.text, second.force).then(goOnAtResults)}
      >
        {title}
      </button>
      {children}
      {preview === undefined ? (
        <p className="soft small">Trying …</p>
      ) : 'failure' in preview ? (
        <p className="warned">
          <Icon name="warning" size={14} /> Would fail: {preview.failure}
        </p>
      ) : (
        <Preview preview={preview} />
      )}
    </section>
  )
}

/** Restores the focus, because the pressed button disappears with the conflict. */
function goOnAtResults(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.getElementById('activity-results')?.focus()
  })
}

interface Shown {
  fields: { field: string; text: string; owners: Owner[] }[]
  rest: FieldEffect[]
}

type Preview = Shown | { failure: string } | undefined

/** Previews the second try with a dry run. */
function usePreview(
  request: ObjectAddress,
  line: number,
  second: SecondTry,
  known: Known,
  manager: string,
): Preview {
  const [preview, setPreview] = useState<Preview>()
  useEffect(() => {
    let current = true
    const run = async (): Promise<Preview> => {
      const body = JSON.stringify(documentAt(second.text, line))
      const response = await dryRun(request, body, { manager, force: second.force })
      if (!response.ok || !isJsonObject(response.json))
        return { failure: failureOf(response).message }
      return shownOf(known, response.json as unknown as KubeObject, manager)
    }
    run().then(
      (shown) => current && setPreview(shown),
      (error: unknown) =>
        current && setPreview({ failure: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      current = false
    }
  }, [request, line, second, known, manager])
  return preview
}

function shownOf({ live, conflicts }: Known, after: KubeObject, manager: string): Shown {
  const claims = claimsOf(after)
  const fields = conflicts.map(({ field, path, yours, live: was }) => {
    const value = path && valueOn(after as unknown as Json, path)
    // Shows the difference from the value that was not chosen.
    const [text] = valueTexts(value, equalJson(value ?? null, was ?? null) ? yours : was)
    return {
      field,
      text,
      owners: claims.filter((claim) => pathText(claim.path) === field).map(({ owner }) => owner),
    }
  })
  const lines = new Set(conflicts.map(({ field }) => field))
  return {
    fields,
    rest: effectsOf(live, after, { name: manager, operation: 'Apply' }).filter(
      ({ field }) => !lines.has(field),
    ),
  }
}

function Preview({ preview: { fields, rest } }: { preview: Shown }) {
  const initials = initialsOf(fields.flatMap(({ owners }) => owners.map(({ name }) => name)))
  return (
    <>
      {fields.map(({ field, text, owners }) => (
        <p key={field} className="way-result">
          {fields.length > 1 && <FieldName path={field} />}
          <ins>{text}</ins>
          <span className="hands">
            <span className="visually-hidden">owned by {namesOf(owners)}</span>
            <Badges owners={owners} initials={initials} />
          </span>
        </p>
      ))}
      {rest.length > 0 && (
        <details>
          <summary>
            and {rest.length} other change{rest.length === 1 ? '' : 's'}
          </summary>
          <Effects effects={rest} none="" />
        </details>
      )}
    </>
  )
}
