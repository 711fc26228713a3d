import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { Segments } from '../../../components/Segments'
import { useActors } from '../../../state/actors'
import { type BenchResult, runBench } from '../bench'
import { BENCH_PLACES } from '../bench-places'
import { type BenchInput, useBench } from '../bench-state'
import { CEL_LANGUAGE, type CelContext, registerCelLanguage } from '../cel-language'
import { suggestionsAt } from '../completion'
import { HELP } from '../help'
import { heatStrip, partAt } from '../parts'
import { costOfPart, PLAYGROUND } from '../texts'
import { valuesText } from '../value-text'
import { Inputs } from './Inputs'
import { Result } from './Result'

const TextEditor = lazy(() => import('../../editor/TextEditor'))

const QUIET_MILLISECONDS = 120

const USES = [
  { value: 'new', title: PLAYGROUND.newExpression },
  { value: 'stored', title: PLAYGROUND.storedExpression },
] as const

export default function Bench() {
  const input = useBench((state) => state.input)
  const change = useBench((state) => state.change)
  const result = useResult(input)
  const [chosen, setChosen] = useState<number>()
  return (
    <div className="bench">
      <section className="bench-main" aria-label={PLAYGROUND.expression}>
        <div className="bar sub">
          <label className="field with-icon">
            <span className="visually-hidden">{PLAYGROUND.context}</span>
            <select value={input.place} onChange={(event) => change({ place: event.target.value })}>
              {BENCH_PLACES.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <span className="grow" />
          <Segments
            label={PLAYGROUND.environment}
            value={input.use}
            choices={USES}
            onChoose={(use) => change({ use })}
          />
        </div>
        <Expression input={input} result={result} chosen={chosen} onChoose={setChosen} />
        {result && <Result result={result} chosen={chosen} onChoose={setChosen} />}
      </section>
      <Inputs input={input} result={result} onChange={change} />
    </div>
  )
}

function useResult(input: BenchInput): BenchResult | undefined {
  const [result, setResult] = useState<BenchResult>()
  const actor = useActors((state) => state.actor)
  // biome-ignore lint/correctness/useExhaustiveDependencies: decisions depend on the user
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const found = await runBench(input, HELP)
      if (current) setResult(found)
    }, QUIET_MILLISECONDS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [input, actor])
  return result
}

/** Minimum and maximum height in pixels: 4 and 14 lines. */
const LINES = { least: 100, most: 300 }

interface ExpressionProps {
  input: BenchInput
  result: BenchResult | undefined
  chosen: number | undefined
  onChoose(part: number | undefined): void
}

function Expression({ input, result, chosen, onChoose }: ExpressionProps) {
  const change = useBench((state) => state.change)
  // Ignores the result of an earlier expression.
  const fresh = result?.expression === input.expression ? result : undefined
  const latest = useRef(result)
  latest.current = result
  const problems = useMemo(
    () =>
      fresh === undefined
        ? []
        : [
            ...fresh.issues.map((issue) => ({ ...issue, severity: 'error' as const })),
            ...fresh.warnings.map((issue) => ({ ...issue, severity: 'warning' as const })),
          ],
    [fresh],
  )
  const highlights = useMemo(
    () => (fresh === undefined ? [] : highlightsOf(fresh, chosen)),
    [fresh, chosen],
  )
  return (
    <div className="bench-expression">
      <Suspense>
        <TextEditor
          text={input.expression}
          language={CEL_LANGUAGE}
          label={PLAYGROUND.expression}
          problems={problems}
          highlights={highlights}
          onChange={(expression) => change({ expression })}
          onCursor={(offset) => onChoose(partAt(latest.current?.parts ?? [], offset)?.id)}
          onReady={(monaco, model) => {
            registerCelLanguage(monaco, model, () => knowledgeOf(latest.current))
            return undefined
          }}
          fit={LINES}
          options={{ folding: false, wordWrap: 'on' }}
        />
      </Suspense>
    </div>
  )
}

function highlightsOf({ parts, outcome }: BenchResult, chosen: number | undefined) {
  const heat = outcome === undefined ? [] : heatStrip(parts, outcome)
  const part = chosen === undefined ? undefined : parts[chosen]
  return [
    ...heat
      .filter(({ heat }) => heat > 2)
      .map(({ part: { start, end }, heat }) => ({
        start,
        end,
        className: `heat-text heat-${heat}`,
      })),
    ...(part === undefined ? [] : [{ start: part.start, end: part.end, className: 'chosen-part' }]),
  ]
}

function knowledgeOf(result: BenchResult | undefined): CelContext {
  return {
    suggestions: (text, offset) =>
      result === undefined ? [] : suggestionsAt(text, offset, result.environment, result.keysOf),
    explain(offset) {
      const part = result && partAt(result.parts, offset)
      if (part === undefined) return undefined
      const found = result?.outcome?.parts[part.id]
      const { start, end, typeText } = part
      const lines =
        found === undefined
          ? [typeText]
          : [valuesText(found), `${typeText} · ${costWords(found.cost, found.ownCost)}`]
      return { lines, start, end }
    },
  }
}

const costWords = (cost: number, own: number): string =>
  costOfPart(cost.toLocaleString('en'), own === cost ? undefined : own.toLocaleString('en'))
