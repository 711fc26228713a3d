import './comparison.css'
import './compare.css'
import { useEffect, useState } from 'react'
import { ALL_RELEASES, compareReleases, type Release } from '../../../../engine/releases'
import { Icon } from '../../../components/Icon'
import { useSettings } from '../../../state/settings'
import { branchRecord } from '../../workspaces/branches'
import { isStreaming } from '../comparable'
import type { Comparison } from '../compared'
import { useComparison } from '../comparison-state'
import { sideTitles } from '../side-titles'
import { COMPARE } from '../texts'
import { ComparedResponses } from './ComparedResponses'
import { DraftFields } from './DraftFields'
import { LoggedChoice } from './LoggedChoice'
import { SideFields } from './SideFields'

const NEWEST = ALL_RELEASES.at(-1) as Release

export function Compare() {
  const draft = useComparison((state) => state.draft)
  const left = useComparison((state) => state.left)
  const right = useComparison((state) => state.right)
  const set = useComparison((state) => state.set)
  const [result, setResult] = useState<{ comparison: Comparison; titles: [string, string] }>()
  const [failure, setFailure] = useState<string>()
  const [running, setRunning] = useState(false)
  useDifferentSides()
  const send = async () => {
    setRunning(true)
    setFailure(undefined)
    try {
      const { compareSides } = await import('../comparison')
      const comparison = await compareSides([left, right], draft)
      setResult({ comparison, titles: sideTitles(left, right) })
    } catch (error) {
      setResult(undefined)
      setFailure(error instanceof Error ? error.message : String(error))
    }
    setRunning(false)
  }
  return (
    <div className="machine scroll">
      <form
        className="compare-form"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div className="compare-sides">
          <SideFields name="left" side={left} />
          <SideFields name="right" side={right} />
        </div>
        <div className="machine-buttons">
          <LoggedChoice onChoose={(chosen) => set({ draft: chosen })} />
        </div>
        <DraftFields draft={draft} onChange={(change) => set({ draft: { ...draft, ...change } })} />
        <div className="machine-buttons">
          <button
            type="submit"
            className="button primary"
            disabled={running || !draft.path.startsWith('/') || isStreaming(draft.path)}
          >
            <Icon name="play" size={14} /> {running ? COMPARE.sending : COMPARE.send}
          </button>
          <span className="soft small">
            {isStreaming(draft.path) ? COMPARE.endless : COMPARE.about}
          </span>
        </div>
      </form>
      {failure !== undefined && (
        <p className="note bad" role="alert">
          {COMPARE.failed(failure)}
        </p>
      )}
      {result && <ComparedResponses {...result} />}
    </div>
  )
}

/** Two equal sides show nothing: at first, one is the parent of a branch, or another release. */
function useDifferentSides(): void {
  const now = useSettings((state) => state.settings?.release)
  const initial = useComparison((state) => state.initial)
  useEffect(() => {
    if (now === undefined || !initial) return
    const { setSide } = useComparison.getState()
    const record = branchRecord()
    if (record !== undefined) setSide('left', { workspace: record.parent })
    else setSide('right', { release: compareReleases(now, NEWEST) === 0 ? '1.31' : NEWEST })
  }, [now, initial])
}
