import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { isJsonObject, type JsonObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import type { Highlight } from '../../editor/TextEditor'
import { readingProblems } from '../../manifests/reading-problems'
import { yamlText } from '../../manifests/yaml'
import type { Change } from '../../objects/changes'
import type { DesignResult } from '../design'
import { defaultedIn, prunedIn, verdictProblems } from '../design-marks'
import type { DesignInput } from '../design-state'
import { sampleOf } from '../sample'
import { SAMPLE } from '../texts'
import { readText } from '../yaml-text'
import { Form } from './Form'
import { VerdictText } from './VerdictText'

const TextEditor = lazy(() => import('../../editor/TextEditor'))

const WAYS = [
  { value: 'yaml', title: SAMPLE.yaml },
  { value: 'form', title: SAMPLE.form },
] as const

interface SampleProps {
  input: DesignInput
  result: DesignResult | undefined
  onChange(sample: string): void
}

export function Sample({ input, result, onChange }: SampleProps) {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('yaml')
  const { sample } = input
  return (
    <section className="designer-sample" aria-label={SAMPLE.region}>
      <div className="designer-given">
        <div className="bar sub">
          <h2>{SAMPLE.title}</h2>
          <Segments label={SAMPLE.editAs} value={way} choices={WAYS} onChoose={setWay} />
          <span className="grow" />
          <button
            type="button"
            className="button quiet small"
            disabled={result === undefined}
            onClick={() =>
              result &&
              onChange(yamlOf(sampleOf(result.design, result.version.name, result.version.schema)))
            }
          >
            <Icon name="add" size={14} /> {SAMPLE.generate}
          </button>
        </div>
        {way === 'form' && result ? (
          <SampleForm sample={sample} result={result} onChange={onChange} />
        ) : (
          <SampleText {...{ sample, result, onChange }} />
        )}
      </div>
      <Stored result={result} />
    </section>
  )
}

const yamlOf = (object: JsonObject): string => yamlText(object)

function SampleText({
  sample,
  result,
  onChange,
}: {
  sample: string
  result: DesignResult | undefined
  onChange(text: string): void
}) {
  const object = result?.object
  const problems = useMemo(
    () => [...readingProblems(sample), ...(object ? verdictProblems(sample, object) : [])],
    [sample, object],
  )
  const highlights = useMemo(() => prunedIn(sample, object?.changes ?? []), [sample, object])
  return (
    <div className="designer-editor">
      <Suspense>
        <TextEditor
          text={sample}
          language="yaml"
          label={SAMPLE.label}
          problems={problems}
          highlights={highlights}
          onChange={onChange}
          options={{ folding: false, quickSuggestions: false }}
        />
      </Suspense>
    </div>
  )
}

function SampleForm({
  sample,
  result,
  onChange,
}: {
  sample: string
  result: DesignResult
  onChange(text: string): void
}) {
  const object = useMemo(() => {
    try {
      const value = readText(sample)
      return isJsonObject(value) ? value : undefined
    } catch {
      return undefined
    }
  }, [sample])
  if (object === undefined) return <p className="note bad">{SAMPLE.invalid}</p>
  return (
    <div className="scroll designer-form">
      <Form
        schema={result.version.schema}
        object={object}
        onChange={(next) => onChange(yamlOf(next))}
      />
    </div>
  )
}

function Stored({ result }: { result: DesignResult | undefined }) {
  const object = result?.object
  const shown = useLastStored(object)
  return (
    <div className="designer-stored">
      <div className="bar sub">
        <h2>{SAMPLE.stored}</h2>
      </div>
      <VerdictText verdict={object} waiting={SAMPLE.fixFirst} good={SAMPLE.valid} />
      {object?.ok && <Differences changes={object.changes} />}
      <div className={object?.ok ? 'designer-editor' : 'designer-editor dimmed'}>
        <Suspense>
          <TextEditor
            text={shown.text}
            language="yaml"
            label={SAMPLE.storedLabel}
            highlights={shown.highlights}
            onChange={() => undefined}
            options={{ readOnly: true, folding: false }}
          />
        </Suspense>
      </div>
    </div>
  )
}

const NOTHING = { text: '', highlights: [] }

/** The last stored result, for comparison while the object is rejected. */
function useLastStored(object: DesignResult['object']) {
  const [last, setLast] = useState<{ text: string; highlights: Highlight[] }>(NOTHING)
  useEffect(() => {
    if (object?.stored === undefined) return
    const text = yamlOf(object.stored)
    setLast({ text, highlights: defaultedIn(text, object.changes) })
  }, [object])
  return last
}

function Differences({ changes }: { changes: readonly Change[] }) {
  const pruned = changes.filter(({ after }) => after === undefined)
  const defaulted = changes.filter(({ before }) => before === undefined)
  if (pruned.length + defaulted.length === 0) return null
  return (
    <ul className="designer-differences" aria-label={SAMPLE.changes}>
      {pruned.map(({ path }) => (
        <li key={path}>
          <span className="chip bad">{SAMPLE.pruned}</span> <span className="mono">{path}</span>
        </li>
      ))}
      {defaulted.map(({ path, after }) => (
        <li key={path}>
          <span className="chip good">{SAMPLE.default}</span>{' '}
          <span className="mono">
            {path} = {JSON.stringify(after)}
          </span>
        </li>
      ))}
    </ul>
  )
}
