import './workbench.css'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { useView } from '../../../state/view'
import type { TextProblem } from '../../editor/TextEditor'
import { useEditors } from '../../manifests/editors'
import { readingProblems } from '../../manifests/reading-problems'
import { useResults } from '../../manifests/results'
import { registerPolicyLanguage } from '../policy-language'
import { tryOnBench } from '../policy-to-bench'
import { joined, withCase } from '../test-sets'
import { POLICIES, SHARED } from '../texts'
import { useChecked, useTests } from '../use-policy-run'
import { useWorkbench } from '../workbench-state'
import { ClusterAudit } from './ClusterAudit'
import { ObjectPicker } from './ObjectPicker'
import { PolicyPicker } from './PolicyPicker'
import { TestSummary } from './TestSummary'
import { TestTable } from './TestTable'

const TextEditor = lazy(() => import('../../editor/TextEditor'))

const NO_PROBLEMS: readonly TextProblem[] = []

const VIEWS = [
  { value: 'tests', title: POLICIES.tests },
  { value: 'audit', title: POLICIES.existing },
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
      <section className="policy-side" aria-label={POLICIES.region}>
        <div className="bar sub">
          <h2>{POLICIES.region}</h2>
          <span className="grow" />
          <PolicyPicker onPick={change} />
          <button
            type="button"
            className="button small"
            title={POLICIES.tryTitle}
            onClick={() => tryOnBench(texts, cursor.current, checked?.expressions ?? [])}
          >
            <Icon name="scales" size={14} /> {SHARED.openInPlayground}
          </button>
          <button
            type="button"
            className="button small"
            onClick={() => openInEditor(joined(texts))}
            title={POLICIES.copyTitle}
          >
            <Icon name="file" size={14} /> {POLICIES.copy}
          </button>
          <button
            type="button"
            className="button small primary"
            onClick={() => {
              openInEditor(texts.policies)
              void useResults.getState().run('apply')
            }}
          >
            {POLICIES.apply}
          </button>
        </div>
        <div className="policy-text">
          <Suspense>
            <TextEditor
              text={texts.policies}
              language="yaml"
              label={POLICIES.label}
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
      <section className="policy-side" aria-label={POLICIES.tests}>
        <div className="bar sub">
          <h2>{POLICIES.testObjects}</h2>
          <span className="grow" />
          <ObjectPicker
            label={POLICIES.addObject}
            onPick={({ name, text }) => change({ tests: withCase(texts.tests, name, text) })}
          />
        </div>
        <div className="policy-text">
          <Suspense>
            <TextEditor
              text={texts.tests}
              language="yaml"
              label={POLICIES.tests}
              problems={testProblems}
              onChange={(tests) => change({ tests })}
            />
          </Suspense>
        </div>
      </section>
      <section className="policy-outcome" aria-label={POLICIES.outcome}>
        <div className="bar sub">
          <Segments label={POLICIES.show} value={view} choices={VIEWS} onChoose={setView} />
          <span className="grow" />
          {view === 'tests' && <TestSummary run={run} />}
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

function openInEditor(text: string): void {
  useEditors.getState().open({ title: 'policy.yaml', language: 'yaml', text })
  useView.getState().set({ pane: 'editor' })
}
