/** Policies, bindings and parameters next to test objects, evaluated while the user types. */
import './workbench.css'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { CaseResult } from '../../../../policy-test/types'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { useConnection } from '../../../state/connection'
import { useDiscovery } from '../../../state/discovery'
import { useView } from '../../../state/view'
import type { TextProblem } from '../../editor/TextEditor'
import { useEditors } from '../../manifests/editors'
import { readingProblems } from '../../manifests/reading-problems'
import { useResults } from '../../manifests/results'
import { type CheckedText, checkPolicies } from '../policy-checks'
import { registerPolicyLanguage } from '../policy-language'
import { tryOnBench } from '../policy-to-bench'
import { SERVED } from '../served-types'
import { joined, type TestTexts, withCase } from '../test-sets'
import { useWorkbench } from '../workbench-state'
import { ClusterAudit } from './ClusterAudit'
import { ObjectPicker } from './ObjectPicker'
import { PolicyPicker } from './PolicyPicker'
import { TestTable } from './TestTable'

const TextEditor = lazy(() => import('../../editor/TextEditor'))

/** The debounce time of typing. */
const QUIET_MILLISECONDS = 400
const NO_PROBLEMS: readonly TextProblem[] = []

const VIEWS = [
  { value: 'tests', title: 'Tests' },
  { value: 'audit', title: 'What is stored' },
] as const

export default function PolicyWorkbench() {
  const texts = useWorkbench((state) => state.texts)
  const change = useWorkbench((state) => state.change)
  const [view, setView] = useState<(typeof VIEWS)[number]['value']>('tests')
  const checked = useChecked(texts.policies)
  const run = useTests(texts)
  const cursor = useRef(0)
  const latest = useRef(checked)
  latest.current = checked
  const problems = useMemo(
    () => [
      ...readingProblems(texts.policies),
      ...(checked?.text === texts.policies ? checked.problems : NO_PROBLEMS),
    ],
    [texts.policies, checked],
  )
  const testProblems = useMemo(() => readingProblems(texts.tests), [texts.tests])
  return (
    <div className="workbench-policies">
      <section className="policy-side" aria-label="Policies">
        <div className="bar sub">
          <h2>Policies</h2>
          <span className="grow" />
          <PolicyPicker onPick={change} />
          <button
            type="button"
            className="button small"
            title="The CEL expression at the cursor, with its variables, its parameter and the first test object"
            onClick={() => tryOnBench(texts, cursor.current, checked?.expressions ?? [])}
          >
            <Icon name="scales" size={14} /> Try on the bench
          </button>
          <button
            type="button"
            className="button small"
            onClick={() => openInEditor(joined(texts))}
            title="Policies and tests as one file"
          >
            <Icon name="file" size={14} /> Copy as one file
          </button>
          <button
            type="button"
            className="button small primary"
            onClick={() => {
              openInEditor(texts.policies)
              void useResults.getState().run('apply')
            }}
          >
            Apply
          </button>
        </div>
        <div className="policy-text">
          <Suspense>
            <TextEditor
              text={texts.policies}
              language="yaml"
              label="Policies, bindings and parameters"
              problems={problems}
              onChange={(policies) => change({ policies })}
              onCursor={(offset) => {
                cursor.current = offset
              }}
              onReady={(monaco, model) => {
                registerPolicyLanguage(monaco, model, () => latest.current)
                return undefined
              }}
            />
          </Suspense>
        </div>
      </section>
      <section className="policy-side" aria-label="Tests">
        <div className="bar sub">
          <h2>Test objects</h2>
          <span className="grow" />
          <ObjectPicker
            label="Add an object from the cluster"
            onPick={({ name, text }) => change({ tests: withCase(texts.tests, name, text) })}
          />
        </div>
        <div className="policy-text">
          <Suspense>
            <TextEditor
              text={texts.tests}
              language="yaml"
              label="Tests"
              problems={testProblems}
              onChange={(tests) => change({ tests })}
            />
          </Suspense>
        </div>
      </section>
      <section className="policy-outcome" aria-label="Outcome">
        <div className="bar sub">
          <Segments label="Show" value={view} choices={VIEWS} onChoose={setView} />
          <span className="grow" />
          {view === 'tests' && <Summary run={run} />}
        </div>
        {view === 'tests' ? (
          <TestTable policies={texts.policies} {...run} />
        ) : (
          <ClusterAudit policies={texts.policies} />
        )}
      </section>
    </div>
  )
}

interface Checked extends CheckedText {
  text: string
}

/** Static checks of the expressions. */
function useChecked(text: string): Checked | undefined {
  const [checked, setChecked] = useState<Checked>()
  const served = useDiscovery((state) => state.resources)
  // biome-ignore lint/correctness/useExhaustiveDependencies: types may change with what is served
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const found = await checkPolicies(text, SERVED)
      if (current) setChecked({ ...found, text })
    }, QUIET_MILLISECONDS / 2)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [text, served])
  return checked
}

interface Run {
  results: readonly CaseResult[]
  failure: string | undefined
  running: boolean
}

/** Runs the tests when a text has changed, on a separate cluster. */
function useTests({ policies, tests }: TestTexts): Run {
  const [run, setRun] = useState<Run>({ results: [], failure: undefined, running: true })
  const connection = useConnection((state) => state.connection)
  useEffect(() => {
    if (connection === undefined) return
    let current = true
    setRun((before) => ({ ...before, running: true }))
    const files = [
      { name: 'policies', text: policies },
      { name: 'tests', text: tests },
    ]
    const timer = setTimeout(() => {
      connection.channel.request('policyTests', { files }).then(
        (results) => current && setRun({ results, failure: undefined, running: false }),
        (error: unknown) =>
          current &&
          setRun((before) => ({
            ...before,
            failure: error instanceof Error ? error.message : String(error),
            running: false,
          })),
      )
    }, QUIET_MILLISECONDS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [connection, policies, tests])
  return run
}

function Summary({ run: { results, failure, running } }: { run: Run }) {
  const count = (...outcomes: CaseResult['outcome'][]) =>
    results.filter(({ outcome }) => outcomes.includes(outcome)).length
  const failed = count('failed', 'broken')
  return (
    <p className="policy-summary" role="status" aria-label="Tests">
      {failure !== undefined ? (
        <span className="chip bad">cannot be run</span>
      ) : (
        <>
          {count('passed') > 0 && <span className="chip good">{count('passed')} passed</span>}
          {failed > 0 && <span className="chip bad">{failed} failed</span>}
          {count('shown') > 0 && (
            <span className="chip mute">{count('shown')} without an expectation</span>
          )}
        </>
      )}
      {running && <span className="soft small">running …</span>}
    </p>
  )
}

function openInEditor(text: string): void {
  useEditors.getState().open({ title: 'policy.yaml', language: 'yaml', text })
  useView.getState().set({ pane: 'editor' })
}
