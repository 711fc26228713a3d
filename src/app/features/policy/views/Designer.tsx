import './designer.css'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { isJsonObject, type JsonObject } from '../../../../engine/core/object'
import { Empty } from '../../../components/Empty'
import { Icon } from '../../../components/Icon'
import { useView } from '../../../state/view'
import { useEditors } from '../../manifests/editors'
import { readingProblems } from '../../manifests/reading-problems'
import { useResults } from '../../manifests/results'
import { type DesignResult, runDesign } from '../design'
import { verdictProblems } from '../design-marks'
import { type DesignInput, useDesign } from '../design-state'
import { DESIGNER, SHARED } from '../texts'
import { readText } from '../yaml-text'
import { DefinitionPicker } from './DefinitionPicker'
import { Sample } from './Sample'
import { SchemaTree } from './SchemaTree'
import { VerdictText } from './VerdictText'

const TextEditor = lazy(() => import('../../editor/TextEditor'))

const QUIET_MILLISECONDS = 350
const INCOMPLETE = DESIGNER.incomplete

export default function Designer() {
  const input = useDesign((state) => state.input)
  const change = useDesign((state) => state.change)
  const tried = useTried(input)
  const problems = useMemo(
    () => [
      ...readingProblems(input.definition),
      ...(tried.of?.definition === input.definition && tried.failure === undefined && tried.result
        ? verdictProblems(input.definition, tried.result.definition)
        : []),
    ],
    [input.definition, tried],
  )
  const { result, failure } = tried
  return (
    <div className="designer">
      <section className="designer-definition" aria-label={DESIGNER.definition}>
        <div className="bar sub">
          <h2>{DESIGNER.definition}</h2>
          <span className="grow" />
          <DefinitionPicker onPick={(definition) => change({ definition })} />
          <button
            type="button"
            className="button small"
            onClick={() => openInEditor(input.definition, result)}
          >
            <Icon name="edit" size={14} /> {SHARED.openInEditor}
          </button>
          <button
            type="button"
            className="button small primary"
            disabled={failure !== undefined || !result?.definition.ok}
            onClick={() => {
              openInEditor(input.definition, result)
              void useResults.getState().run('apply')
            }}
          >
            {DESIGNER.create}
          </button>
        </div>
        <div className="designer-editor">
          <Suspense>
            <TextEditor
              text={input.definition}
              language="yaml"
              label={DESIGNER.label}
              problems={problems}
              onChange={(definition) => change({ definition })}
              options={{ quickSuggestions: false }}
            />
          </Suspense>
        </div>
        <VerdictText
          verdict={failure === undefined ? result?.definition : undefined}
          waiting={failure ?? SHARED.waiting}
          good={DESIGNER.accepted}
        />
      </section>
      <section className="designer-schema scroll" aria-label={DESIGNER.schema}>
        {result ? (
          <SchemaTree result={result} input={input} onVersion={(version) => change({ version })} />
        ) : (
          <Empty>{failure === undefined ? SHARED.waiting : DESIGNER.noSchema}</Empty>
        )}
      </section>
      <Sample input={input} result={result} onChange={(sample) => change({ sample })} />
    </div>
  )
}

interface Tried {
  /** The last trial; after a failure its result can belong to an earlier input. */
  of: DesignInput | undefined
  result: DesignResult | undefined
  failure: string | undefined
}

function useTried(input: DesignInput): Tried {
  const [tried, setTried] = useState<Tried>({
    of: undefined,
    result: undefined,
    failure: undefined,
  })
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const next = await attempt(input)
      // Keeps the last result visible while the text is invalid.
      if (current) setTried((before) => ({ ...next, result: next.result ?? before.result }))
    }, QUIET_MILLISECONDS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [input])
  return tried
}

async function attempt(input: DesignInput): Promise<Tried> {
  try {
    const definition = objectOf(input.definition)
    const result =
      definition && (await runDesign(definition, readable(input.sample), input.version))
    return { of: input, result, failure: result === undefined ? INCOMPLETE : undefined }
  } catch (error) {
    return {
      of: input,
      result: undefined,
      failure: error instanceof Error ? error.message : String(error),
    }
  }
}

/** @throws Error for invalid YAML */
function objectOf(text: string): JsonObject | undefined {
  const value = readText(text)
  return isJsonObject(value) ? value : undefined
}

function readable(text: string): JsonObject | undefined {
  try {
    return objectOf(text)
  } catch {
    return undefined
  }
}

function openInEditor(text: string, result: DesignResult | undefined): void {
  useEditors
    .getState()
    .open({ title: `${result?.design.plural ?? 'definition'}.yaml`, language: 'yaml', text })
  useView.getState().set({ pane: 'editor' })
}
