import { lazy, Suspense } from 'react'
import { Empty } from '../../../components/Empty'
import { activeTab, useEditors } from '../../manifests/editors'
import { useRehearsal } from '../rehearsal'
import { CHECK } from '../texts'
import { CheckReport } from './CheckReport'
import { ReleaseChoice } from './ReleaseChoice'

const ReadingEditor = lazy(() => import('../../editor/ReadingEditor'))

export function Rehearsal() {
  const text = useRehearsal((state) => state.text)
  const from = useRehearsal((state) => state.from)
  const to = useRehearsal((state) => state.to)
  const loading = useRehearsal((state) => state.loading)
  const report = useRehearsal((state) => state.report)
  const failure = useRehearsal((state) => state.failure)
  const set = useRehearsal((state) => state.set)
  const run = useRehearsal((state) => state.run)
  return (
    <div className="rehearsal">
      <div className="rehearsal-given">
        <div className="bar sub">
          <ReleaseChoice
            label={CHECK.from}
            value={from}
            onChoose={(release) => set({ from: release })}
          />
          <ReleaseChoice label={CHECK.to} value={to} onChoose={(release) => set({ to: release })} />
          <span className="grow" />
          <button
            type="button"
            className="button quiet small"
            onClick={() => set({ text: activeTab(useEditors.getState()).text })}
          >
            {CHECK.useFile}
          </button>
          <button
            type="button"
            className="button primary small"
            disabled={loading !== undefined}
            onClick={() => void run()}
          >
            {loading === undefined ? CHECK.run : CHECK.checking(loading)}
          </button>
        </div>
        <div className="rehearsal-text">
          <Suspense>
            <ReadingEditor
              text={text}
              language="yaml"
              label={CHECK.manifests}
              onChange={(typed) => set({ text: typed })}
              options={{ quickSuggestions: false }}
            />
          </Suspense>
        </div>
      </div>
      <div className="rehearsal-found scroll" aria-live="polite">
        {failure !== undefined && (
          <p className="note bad" role="alert">
            {CHECK.failed(failure)}
          </p>
        )}
        {report ? (
          <CheckReport report={report} />
        ) : (
          <Empty icon="branch" title={CHECK.title}>
            {CHECK.about}
            <span>
              {CHECK.inTerminal} <code>{CHECK.command}</code>
            </span>
          </Empty>
        )}
      </div>
    </div>
  )
}
